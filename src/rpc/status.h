#pragma once

#include <grpcpp/support/status.h>

#include <string>

#include "berth/result.h"

namespace berth {

// Codes of gRPC and of Status are the same numbers.
grpc::Status ToGrpc(const Status& status);

// The message is prefixed with the target, so that it says who did not answer.
Status FromGrpc(const grpc::Status& status, const std::string& target);

}  // namespace berth
