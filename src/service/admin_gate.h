#pragma once

#include <filesystem>
#include <string>

#include "berth/result.h"

namespace grpc {
class ServerContext;
}

namespace berth {

// Lets those change policies who show a token or a client certificate. Thread-safe.
class AdminGate {
 public:
  static constexpr size_t kLeastTokenBytes = 16;

  // The token is the first line of `token_file`; without a name there is none. `certificates` says
  // whether the server has callers prove who they are (TlsFiles::client_ca).
  AdminGate(std::filesystem::path token_file, bool certificates);

  // Whether there is a token that is long enough, where there is to be one.
  // Errors: INVALID_ARGUMENT or NOT_FOUND that name the option of `berth serve` and the file.
  Status Check() const;

  // Who calls, for the audit: "token", or the name in the certificate. The file is read anew, so a
  // token may be replaced at any time. A wrong token is not made good by a certificate.
  // Errors: UNAUTHENTICATED that says what to show.
  Result<std::string> Admit(const grpc::ServerContext& context) const;

 private:
  Status CheckToken(const std::string& shown) const;
  Result<std::string> Token() const;

  const std::filesystem::path token_file_;
  const bool certificates_;
};

}  // namespace berth
