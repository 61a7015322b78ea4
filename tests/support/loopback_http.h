#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "base/http_server.h"

namespace httplib {
class Server;
class SSLServer;
}  // namespace httplib

namespace berth {

// An HTTP or HTTPS server on 127.0.0.1 that serves from construction to destruction.
class LoopbackHttp {
 public:
  struct Tls {
    std::string certificate, key;  // PEM; without a certificate: HTTP
    std::string client_authority;  // PEM; not empty: only clients with a certificate of it
  };

  // `port` 0: a free one.
  LoopbackHttp(int port, const Tls& tls, const std::function<void(httplib::Server&)>& add_routes);
  ~LoopbackHttp();  // waits for requests that are being answered

  int port() const { return port_; }

 private:
  std::unique_ptr<HttpServer> http_;
  std::unique_ptr<httplib::SSLServer> https_;
  int port_ = 0;
  std::jthread thread_;
};

}  // namespace berth
