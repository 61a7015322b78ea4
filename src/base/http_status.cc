#include "base/http_status.h"

#include <httplib.h>

namespace berth {

void AddStatusRoutes(httplib::Server& server, const Metrics& metrics,
                     std::function<Status()> ready) {
  server.Get("/healthz", [](const httplib::Request&, httplib::Response& response) {
    response.set_content("ok\n", "text/plain");
  });
  server.Get("/readyz", [ready](const httplib::Request&, httplib::Response& response) {
    const Status status = ready();
    response.status = status.ok() ? 200 : 503;
    response.set_content(status.ok() ? "ok\n" : std::string(status.message()) + "\n", "text/plain");
  });
  server.Get("/metrics", [&metrics](const httplib::Request&, httplib::Response& response) {
    response.set_content(metrics.Text(), "text/plain; version=0.0.4");
  });
}

}  // namespace berth
