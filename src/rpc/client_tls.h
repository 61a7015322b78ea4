#pragma once

#include <memory>
#include <string>

#include "berth/result.h"

namespace grpc {
class ChannelCredentials;
}

namespace berth {

// Names of PEM files with which a client knows a server and proves who it is. Without an authority
// it speaks plain text.
struct ClientTlsFiles {
  std::string ca;           // that vouches for the server
  std::string certificate;  // empty: shows none
  std::string key;
};

// Errors: INVALID_ARGUMENT or NOT_FOUND that name the option of `berth policy` and the file.
Result<std::shared_ptr<grpc::ChannelCredentials>> MakeClientCredentials(
    const ClientTlsFiles& files);

}  // namespace berth
