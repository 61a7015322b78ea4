#include "demo/berth_processes.h"

#include <absl/strings/str_cat.h>
#include <httplib.h>

#include <chrono>
#include <thread>

namespace berth {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kPatience{120};

// "HOST:PORT" -> PORT.
int PortOf(const std::string& address) { return std::stoi(address.substr(address.rfind(':') + 1)); }

// The value of a metric in Prometheus' text format; -1 when it is not there.
double MetricValue(const std::string& text, const std::string& name) {
  const size_t at = text.find("\n" + name + " ");
  return at == std::string::npos ? -1 : std::stod(text.substr(at + name.size() + 2, 40));
}

// Asks again until `condition` holds. The answers come from other processes, which cannot wake us.
template <class Condition>
bool Poll(std::chrono::microseconds pause, Condition condition) {
  for (const auto start = steady_clock::now(); !condition();) {
    if (steady_clock::now() - start > kPatience) return false;
    std::this_thread::sleep_for(pause);
  }
  return true;
}

}  // namespace

BerthProcesses::~BerthProcesses() = default;

Status BerthProcesses::Serve(const std::filesystem::path& bin, const std::string& policy,
                             const std::string& decision_log) {
  // The mix that the pods are drawn from: what runs at first is no part of it. None of them leaves.
  std::vector<std::string> command = {
      bin / "berth", "serve",       "--listen",  "127.0.0.1:0",
      "--http",      "127.0.0.1:0", "--profile", "policies/profiles/openb-default.json",
      "--regime",    "packing"};
  if (!policy.empty()) command.insert(command.end(), {"--policy", policy});
  if (!decision_log.empty()) command.insert(command.end(), {"--decision-log", decision_log});
  serve_ = std::make_unique<BackgroundProgram>(command);
  const Result<std::string> line = serve_->AwaitLine("msg=\"serving\"", kPatience);
  if (!line.ok()) return line.status();
  service_ = LogField(*line, "grpc");
  policy_ = LogField(*line, "policy");
  metrics_ = std::make_unique<httplib::Client>("127.0.0.1", PortOf(LogField(*line, "http")));
  metrics_->set_keep_alive(true);
  metrics_->set_tcp_nodelay(true);
  return {};
}

Status BerthProcesses::StartExtender(const std::filesystem::path& bin,
                                     const std::string& api_server_url) {
  const std::filesystem::path kubeconfig = directory_.Write(
      "kubeconfig",
      absl::StrCat("{apiVersion: v1, kind: Config, current-context: demo,\n"
                   "clusters: [{name: demo, cluster: {server: \"",
                   api_server_url,
                   "\"}}],\nusers: [{name: demo, user: {}}],\n"
                   "contexts: [{name: demo, context: {cluster: demo, user: demo}}]}\n"));
  extender_ = std::make_unique<BackgroundProgram>(
      std::vector<std::string>{bin / "berth-extender", "--listen", "127.0.0.1:0", "--service",
                               service_, "--kubeconfig", kubeconfig, "--timeout", "2s"});
  const Result<std::string> line = extender_->AwaitLine("msg=\"serving\"", kPatience);
  if (!line.ok()) return line.status();
  extender_port_ = PortOf(LogField(*line, "address"));

  httplib::Client client("127.0.0.1", extender_port_);
  std::string answer = "no answer";
  const bool ready = Poll(std::chrono::milliseconds(10), [&] {
    const httplib::Result result = client.Get("/readyz");
    if (result) answer = result->body;
    return result && result->status == 200;
  });
  if (ready) return {};
  return absl::UnavailableError(
      absl::StrCat("berth-extender is not ready: ", answer, extender_->Tail(), serve_->Tail()));
}

Result<std::unique_ptr<BerthProcesses>> BerthProcesses::Start(const std::filesystem::path& bin,
                                                              const std::string& policy,
                                                              const std::string& api_server_url,
                                                              const std::string& decision_log) {
  Result<std::unique_ptr<BerthProcesses>> processes = StartService(bin, policy, decision_log);
  if (!processes.ok()) return processes;
  Status status = (*processes)->StartExtender(bin, api_server_url);
  if (!status.ok()) return status;
  return processes;
}

Result<std::unique_ptr<BerthProcesses>> BerthProcesses::StartService(
    const std::filesystem::path& bin, const std::string& policy, const std::string& decision_log) {
  std::unique_ptr<BerthProcesses> processes(new BerthProcesses);
  if (Status status = processes->Serve(bin, policy, decision_log); !status.ok()) return status;
  return processes;
}

double BerthProcesses::ServiceMetric(const std::string& name) {
  const httplib::Result answer = metrics_->Get("/metrics");
  return answer ? MetricValue(answer->body, name) : -1;
}

Status BerthProcesses::AwaitBoundPods(size_t pods) {
  double bound = -1;
  const bool caught_up = Poll(std::chrono::microseconds(100), [&] {
    bound = ServiceMetric("berth_cluster_pods{state=\"bound\"}");
    return bound >= static_cast<double>(pods);
  });
  if (caught_up) return {};
  return absl::DeadlineExceededError(absl::StrCat("Berth's books hold ", bound, " bound pods, not ",
                                                  pods, "\n", extender_->Tail(), serve_->Tail()));
}

}  // namespace berth
