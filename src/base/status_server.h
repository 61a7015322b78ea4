#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "base/http_server.h"
#include "base/metrics.h"
#include "berth/result.h"

namespace berth {

// /healthz, /readyz and /metrics over HTTP, on a thread of its own until destruction.
class StatusServer {
 public:
  // Port 0 picks a free one. `metrics` and whatever `ready` uses outlive the server.
  // Errors: UNAVAILABLE that names the address.
  static Result<std::unique_ptr<StatusServer>> Start(const std::string& host, int port,
                                                     const Metrics& metrics,
                                                     std::function<Status()> ready);
  ~StatusServer();

  int port() const { return port_; }

 private:
  StatusServer() = default;

  HttpServer server_;
  int port_ = 0;
  std::jthread thread_;
};

}  // namespace berth
