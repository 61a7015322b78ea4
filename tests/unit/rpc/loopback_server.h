#pragma once

#include <grpc/support/time.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "berth/v1/scoring.grpc.pb.h"

namespace berth {

// A gRPC server for tests on a port of its own on 127.0.0.1. Calls that are still under way at the
// end are cancelled.
class LoopbackServer {
 public:
  explicit LoopbackServer(const std::vector<grpc::Service*>& services, int port = 0) {
    grpc::ServerBuilder builder;
    builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
    builder.AddListeningPort("127.0.0.1:" + std::to_string(port), grpc::InsecureServerCredentials(),
                             &port_);
    for (grpc::Service* service : services) builder.RegisterService(service);
    server_ = builder.BuildAndStart();
  }
  ~LoopbackServer() { server_->Shutdown(gpr_time_from_millis(0, GPR_TIMESPAN)); }

  int port() const { return port_; }
  std::string target() const { return "127.0.0.1:" + std::to_string(port_); }

 private:
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

// An address that nobody listens on: somebody did a moment ago.
inline std::string NobodysTarget() {
  v1::Scoring::Service service;
  return LoopbackServer({&service}).target();
}

}  // namespace berth
