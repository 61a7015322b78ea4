#pragma once

#include <memory>
#include <string>

#include "berth/result.h"

namespace grpc {
class ServerCredentials;
}

namespace berth {

// Names of PEM files with which a server proves who it is. Without any, it speaks plain text.
struct TlsFiles {
  std::string certificate;  // with its intermediates after it
  std::string key;          // without a passphrase
  std::string client_ca;    // only clients with a certificate of these authorities may call
};

// Reads the files, once: who renews them starts the server anew.
// Errors: INVALID_ARGUMENT or NOT_FOUND that name the option of `berth serve` and the file.
Result<std::shared_ptr<grpc::ServerCredentials>> MakeServerCredentials(const TlsFiles& files);

}  // namespace berth
