#include "extender/extender_routes.h"

#include <httplib.h>

namespace berth {
namespace {

using Method = ExtenderAnswer (Extender::*)(std::string_view);

// Reads the body here rather than let httplib do it, which takes a body without a Content-Type of
// JSON (curl's default) for a form, and forms have a limit of their own.
httplib::Server::HandlerWithContentReader Handler(Extender& extender, Method method) {
  return [&extender, method](const httplib::Request&, httplib::Response& response,
                             const httplib::ContentReader& read) {
    std::string body;
    const bool whole = read([&body](const char* data, size_t size) {
      body.append(data, size);
      return true;
    });
    if (!whole) {  // httplib has set the status: 413 or 400
      response.set_content("the body is too long, or ends early\n", "text/plain");
      return;
    }
    const ExtenderAnswer answer = (extender.*method)(body);
    response.status = answer.status;
    response.set_content(answer.body, answer.status == 200 ? "application/json" : "text/plain");
  };
}

}  // namespace

void AddExtenderRoutes(httplib::Server& server, Extender& extender) {
  server.Post("/filter", Handler(extender, &Extender::Filter));
  server.Post("/prioritize", Handler(extender, &Extender::Prioritize));
}

}  // namespace berth
