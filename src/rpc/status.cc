#include "rpc/status.h"

#include <absl/strings/str_cat.h>

namespace berth {

grpc::Status ToGrpc(const Status& status) {
  if (status.ok()) return grpc::Status::OK;
  return {static_cast<grpc::StatusCode>(status.raw_code()), std::string(status.message())};
}

Status FromGrpc(const grpc::Status& status, const std::string& target) {
  if (status.ok()) return {};
  return {static_cast<absl::StatusCode>(status.error_code()),
          absl::StrCat("scoring service ", target, ": ", status.error_message())};
}

}  // namespace berth
