#include "base/status_server.h"

#include <utility>

#include "base/http_status.h"

namespace berth {

Result<std::unique_ptr<StatusServer>> StatusServer::Start(const std::string& host, int port,
                                                          const Metrics& metrics,
                                                          std::function<Status()> ready) {
  std::unique_ptr<StatusServer> status(new StatusServer);
  AddStatusRoutes(status->server_.routes(), metrics, std::move(ready));
  const Result<int> bound = status->server_.Bind(host, port);
  if (!bound.ok()) return bound.status();
  status->port_ = *bound;
  status->thread_ = std::jthread([&server = status->server_] { server.Serve(); });
  return status;
}

StatusServer::~StatusServer() { server_.Stop(); }

}  // namespace berth
