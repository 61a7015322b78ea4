#include "demo/run.h"

#include <absl/strings/str_cat.h>

#include <algorithm>

#include "cluster/fragmentation.h"
#include "demo/berth_processes.h"
#include "demo/kube_scheduler.h"
#include "demo/objects.h"
#include "demo/workload.h"
#include "rpc/explain_client.h"
#include "support/fake_api_server.h"

namespace berth {
namespace {

using std::chrono::steady_clock;

double Share(MilliGpu part, MilliGpu whole) {
  return static_cast<double>(part.value()) / static_cast<double>(whole.value());
}

std::chrono::nanoseconds Percentile(std::vector<std::chrono::nanoseconds>& times, double share) {
  if (times.empty()) return {};
  const auto at = times.begin() + static_cast<ptrdiff_t>(share * double(times.size() - 1));
  std::nth_element(times.begin(), at, times.end());
  return *at;
}

// One run: the API server, Berth, a kube-scheduler, and what they have done so far.
class Run {
 public:
  Run(const RunInput& input, FakeApiServer& api_server, BerthProcesses& berth)
      : input_(input),
        capacity_(TotalGpu(input.nodes)),
        running_(TotalGpu(input.running)),
        api_server_(api_server),
        berth_(berth),
        scheduler_(input.nodes, berth.extender_port()) {
    result_.policy = berth.policy();
    size_t position = 0;  // running pods come in the order of their nodes
    for (const Pod& pod : input.running) {
      while (input.nodes[position].name != pod.node) ++position;
      scheduler_.Assume(pod, position);
    }
  }

  // Lets the next pod arrive and places it.
  Status Place(const Pod& pod) {
    const nlohmann::json object = PodObject(pod);
    api_server_.Put(FakeApiServer::Kind::kPods, object);
    const KubeScheduler::Decision decision = scheduler_.Decide(pod, object);
    result_.unanswered += !decision.error.empty();
    if (decision.asking.count() > 0) times_.push_back(decision.asking);
    if (!decision.node) {
      ++result_.refused;
      return {};
    }
    const std::string& node = input_.nodes[*decision.node].name.value();
    if (const int status = api_server_.Bind(pod.name, node); status != 201) {
      return absl::InternalError(absl::StrCat("binding ", pod.name, ": HTTP status ", status));
    }
    scheduler_.Assume(pod, *decision.node);
    allocated_ += pod.demand.TotalGpu();
    return berth_.AwaitBoundPods(input_.running.size() + ++result_.placed);
  }

  double allocated() const { return Share(allocated_, capacity_ - running_); }

  // Reads Berth's books, checks them against our own count, and closes the account.
  Result<RunResult> Finish() {
    PodFacts anything;
    anything.namespace_name = "demo";
    anything.name = "anything";
    const Result<Explanation> books =
        Explain(berth_.service(), anything, {}, std::chrono::seconds(10));
    if (!books.ok()) return books.status();
    MilliGpu free;
    double unusable = 0;
    for (const NodeVerdict& node : books->nodes) {
      free += node.free.TotalGpu();
      unusable += Fragmentation(node.model, node.free, input_.profile);
    }
    if (books->nodes.size() != input_.nodes.size() || capacity_ - free != running_ + allocated_) {
      return absl::InternalError(absl::StrCat(
          "Berth's books hold ", (capacity_ - free).value(), " milli-GPU on ", books->nodes.size(),
          " nodes; the API server ", (running_ + allocated_).value(), " on ", input_.nodes.size()));
    }
    result_.allocated = allocated();
    result_.unusable = unusable / static_cast<double>((capacity_ - running_).value());
    result_.median = Percentile(times_, 0.5);
    result_.p99 = Percentile(times_, 0.99);
    return result_;
  }

 private:
  const RunInput& input_;
  const MilliGpu capacity_;
  const MilliGpu running_;
  FakeApiServer& api_server_;
  BerthProcesses& berth_;
  KubeScheduler scheduler_;
  RunResult result_;
  MilliGpu allocated_;
  std::vector<std::chrono::nanoseconds> times_;
};

}  // namespace

Result<RunResult> RunPolicy(const RunInput& input, const std::stop_token& stop) {
  const auto start = steady_clock::now();
  FakeApiServer api_server;
  for (const NodeSpec& node : input.nodes) {
    api_server.Put(FakeApiServer::Kind::kNodes, NodeObject(node));
  }
  for (const Pod& pod : input.running) {
    api_server.Put(FakeApiServer::Kind::kPods, PodObject(pod));
  }
  const Result<std::unique_ptr<BerthProcesses>> berth =
      BerthProcesses::Start(input.bin, input.policy, api_server.url(), input.decision_log);
  if (!berth.ok()) return berth.status();

  Run run(input, api_server, **berth);
  for (size_t i = 0; i < input.pods.size(); ++i) {
    if (stop.stop_requested()) return absl::CancelledError("interrupted");
    if (const Status status = run.Place(input.pods[i]); !status.ok()) return status;
    input.on_progress(i + 1, run.allocated());
  }
  Result<RunResult> result = run.Finish();
  if (result.ok()) result->took = steady_clock::now() - start;
  if (result.ok() && input.on_decided) {
    input.on_decided((*berth)->service(), (*berth)->extender_port());
  }
  return result;
}

}  // namespace berth
