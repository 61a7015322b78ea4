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
  // `policy` is what `berth serve --policy` takes, and `decision_log` what its --decision-log does;
  // empty: its default. Returns when the extender is ready. Errors: a program did not start or does
  // not become ready; the message says why.
  static Result<std::unique_ptr<BerthProcesses>> Start(const std::filesystem::path& bin,
                                                       const std::string& policy,
                                                       const std::string& api_server_url,
                                                       const std::string& decision_log = "");
  // The same in two steps: the service alone, which waits for a feeder, and then the extender.
  static Result<std::unique_ptr<BerthProcesses>> StartService(const std::filesystem::path& bin,
                                                              const std::string& policy,
                                                              const std::string& decision_log = "");
  Status StartExtender(const std::filesystem::path& bin, const std::string& api_server_url);
  ~BerthProcesses();

  int extender_port() const { return extender_port_; }
  const std::string& service() const { return service_; }  // gRPC address
  const std::string& policy() const { return policy_; }    // its name, as the service tells it
  pid_t service_pid() const { return serve_->pid(); }
  pid_t extender_pid() const { return extender_->pid(); }

  // The last lines that both programs logged.
  std::string Logs() const { return serve_->Tail() + extender_->Tail(); }

  // Waits until Berth's books hold `pods` bound pods. Errors: DEADLINE_EXCEEDED.
  Status AwaitBoundPods(size_t pods);
  // A metric of the service, such as "berth_cluster_nodes"; -1 when there is none.
  double ServiceMetric(const std::string& name);

 private:
  BerthProcesses() = default;
  Status Serve(const std::filesystem::path& bin, const std::string& policy,
               const std::string& decision_log);

  TempDirectory directory_;  // holds the kubeconfig
  std::unique_ptr<BackgroundProgram> serve_;
  std::unique_ptr<BackgroundProgram> extender_;
  std::unique_ptr<httplib::Client> metrics_;
  std::string service_;
  std::string policy_;
  int extender_port_ = 0;
};

}  // namespace berth
