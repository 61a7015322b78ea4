#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "berth/result.h"

namespace httplib {
class Server;
}

namespace berth {

struct HttpServerOptions {
  size_t max_body_bytes = 1 << 20;  // a longer body is answered 413
  int max_connections = 256;        // a connection beyond these is closed at once; each takes 2 fds
  // A connection is closed when a request takes longer to arrive, from its first byte to its last,
  // and when none has come for so long. Go's clients drop an idle connection after 90 seconds.
  std::chrono::milliseconds request_patience = std::chrono::seconds(10);
  std::chrono::milliseconds idle_patience = std::chrono::minutes(5);
};

// HTTP/1.1 for a few busy clients that keep their connections open, among many idle ones. The
// routes are httplib's; the connections are not, because httplib 0.11 serves all of them with
// eight threads, wakes up for each idle one a hundred times a second and does not see a stop.
// Here each connection has a thread that sleeps in poll() while there is nothing to do.
//
// A request's header may have 64 KiB. Its body must be plain and of known length: any
// Content-Encoding is answered 415 and a missing Content-Length 411, so that nothing small
// unpacks to something large. Answers are never compressed. A handler that throws is answered 500.
class HttpServer {
 public:
  explicit HttpServer(const HttpServerOptions& options = {});
  ~HttpServer();

  // Where handlers are added, before Serve. They are called from many threads at once.
  httplib::Server& routes();

  // Returns the port; port 0 picks a free one. Errors: UNAVAILABLE that names the address.
  Result<int> Bind(const std::string& host, int port);

  // Answers until Stop; returns when the last connection is closed. REQUIRES: Bind was OK.
  void Serve();

  // Ends Serve, also one that has not begun: closes idle connections and lets requests that are
  // being answered finish. From any thread.
  void Stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace berth
