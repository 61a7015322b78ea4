#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "berth/result.h"
#include "kube/kubeconfig.h"
#include "kube/server_url.h"

namespace httplib {
class ClientImpl;
}

namespace berth {

// GET requests to one API server, over a connection that is kept and made anew when it broke.
// One request at a time; Interrupt is called from any thread.
class ApiClient {
 public:
  // Takes a piece of the answer's body as it arrives; false ends the request.
  using OnBytes = std::function<bool(std::string_view)>;

  explicit ApiClient(const ApiServerAccess& access);
  ~ApiClient();

  // `target` is a path with its query, encoded. Blocks until the answer is complete, or nothing has
  // arrived for `patience`. Only the body of a 200 goes to `on_bytes`.
  // Errors: UNAVAILABLE when there is no connection, it breaks, or the server fails (5xx);
  // CANCELLED when `on_bytes` ended the request; UNAUTHENTICATED (401), PERMISSION_DENIED (403),
  // OUT_OF_RANGE (410), RESOURCE_EXHAUSTED (429), INVALID_ARGUMENT for any other status.
  Status Get(const std::string& target, std::chrono::seconds patience, const OnBytes& on_bytes);

  // Cuts off a Get that is in progress. One that is just starting may miss it.
  void Interrupt();

 private:
  Status Connect();  // makes sure that there is a client, not that it is connected
  void Disconnect();
  Result<std::string> BearerToken() const;
  Status Failure(std::string_view what);

  const ApiServerAccess access_;
  const Result<ServerUrl> url_;
  std::string tls_problem_;  // why the last handshake failed
  std::mutex mutex_;         // guards the pointer against Interrupt
  std::unique_ptr<httplib::ClientImpl> client_;
};

// `text` fit for a query: everything but letters, digits and -._~ is escaped.
std::string EscapeForQuery(std::string_view text);

}  // namespace berth
