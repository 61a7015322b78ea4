#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "berth/result.h"
#include "support/background_program.h"
#include "support/temp_directory.h"

namespace httplib {
class Client;
}

namespace berth {

// `berth serve` and `berth-extender` as users run them, on free ports of this machine, before the
// API server at `api_server_url`. They end with this object.
class BerthProcesses {
 public:
  // `policy` is what `berth serve --policy` takes; empty: its default. Returns when the extender
  // is ready. Errors: a program did not start or does not become ready; the message says why.
  static Result<std::unique_ptr<BerthProcesses>> Start(const std::filesystem::path& bin,
                                                       const std::string& policy,
                                                       const std::string& api_server_url);
  ~BerthProcesses();

  int extender_port() const { return extender_port_; }
  const std::string& service() const { return service_; }  // gRPC address
  const std::string& policy() const { return policy_; }    // its name, as the service tells it

  // Waits until Berth's books hold `pods` bound pods. Errors: DEADLINE_EXCEEDED.
  Status AwaitBoundPods(size_t pods);

 private:
  BerthProcesses() = default;
  Status StartService(const std::filesystem::path& bin, const std::string& policy);
  Status StartExtender(const std::filesystem::path& bin, const std::string& api_server_url);

  TempDirectory directory_;  // holds the kubeconfig
  std::unique_ptr<BackgroundProgram> serve_;
  std::unique_ptr<BackgroundProgram> extender_;
  std::unique_ptr<httplib::Client> metrics_;
  std::string service_;
  std::string policy_;
  int extender_port_ = 0;
};

}  // namespace berth
