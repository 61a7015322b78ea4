// berth-replay NODES.json PODS.json PROFILE.json [--policy NAME]
//
// Reads the lists as kube-apiserver writes them and prints, as JSON, how much GPU is allocated and
// how much of it is fragmented (FGD's F), both as shares of all GPU:
//   "bound"       with the pods on the nodes that they are bound to
//   "sequential"  with the same pods placed one after the other in the order of the file, each
//                 first in the ranking of the policy with every pod before it in the books
// and for the latter by UID where each pod went ("placements"); "" where it fits nowhere.
#include <CLI/CLI.hpp>
#include <chrono>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "apps/berth/serving_policy.h"
#include "base/log.h"
#include "base/metrics.h"
#include "base/real_clock.h"
#include "cluster/cluster_state.h"
#include "cluster/fragmentation.h"
#include "cluster/profile_file.h"
#include "facts/interpret.h"
#include "kube/watch_event.h"
#include "policy/ranking.h"

namespace berth {
namespace {

// No answer is late here: a replay has time.
constexpr std::chrono::minutes kBudget{1};

class Replay {
 public:
  Replay(const std::vector<NodeFacts>& nodes, WorkloadProfilePtr profile, ScorerPtr policy,
         Logger& log)
      : profile_(profile),
        policy_(policy),
        state_(
            [policy](const Node& node, const Demand& demand, const WorkloadProfile& mix) {
              return policy->ChooseGpus(node, demand, mix);
            },
            profile, metrics_, log) {
    state_.BeginEpoch();
    for (const NodeFacts& node : nodes) state_.UpsertNode(InterpretNode(node));
    state_.CompleteEpoch();
  }

  void Bind(Pod pod, const NodeName& node) {
    pod.node = node;
    state_.UpsertPod(std::move(pod));
  }

  Status Place(Pod pod) {
    const ClusterViewPtr view = state_.View();
    std::vector<const Node*> all;
    for (const auto& node : view->nodes()) all.push_back(node.get());
    const Result<Ranking> ranking = Rank(*policy_, view, pod.demand, all);
    if (!ranking.ok()) return ranking.status();
    if (ranking->feasible == 0) {
      ++refused_;
      placements_[pod.uid.value()] = "";
      return {};
    }
    const NodeName node = all[ranking->order.front()]->name();
    placements_[pod.uid.value()] = node.value();
    Bind(std::move(pod), node);
    return {};
  }

  const nlohmann::json& placements() const { return placements_; }

  nlohmann::json Shares() const {
    const ClusterViewPtr view = state_.View();
    double whole = 0, free = 0, fragmented = 0;
    for (const auto& node : view->nodes()) {
      whole += static_cast<double>((kWholeGpu * node->spec->gpus).value());
      free += static_cast<double>(node->free.TotalGpu().value());
      fragmented += Fragmentation(node->spec->model, node->free, *profile_);
    }
    return {{"allocated", (whole - free) / whole},
            {"fragmented", fragmented / whole},
            {"refused", refused_}};
  }

 private:
  const WorkloadProfilePtr profile_;
  const ScorerPtr policy_;
  Metrics metrics_;
  ClusterState state_;
  int refused_ = 0;
  nlohmann::json placements_ = nlohmann::json::object();  // node by UID of the pod
};

Result<ListPage> ReadList(ObjectKind kind, const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return absl::NotFoundError("cannot read " + path);
  return ParseListPage(kind, std::string(std::istreambuf_iterator<char>(in), {}));
}

struct Options {
  std::string nodes;
  std::string pods;
  std::string profile;
  std::string policy = "policies/berth";  // as `berth serve`
};

Status Run(const Options& options) {
  const Result<ListPage> nodes = ReadList(ObjectKind::kNode, options.nodes);
  if (!nodes.ok()) return nodes.status();
  const Result<ListPage> pods = ReadList(ObjectKind::kPod, options.pods);
  if (!pods.ok()) return pods.status();
  Result<WorkloadProfile> mix = LoadProfile(options.profile);
  if (!mix.ok()) return mix.status();
  const auto profile = std::make_shared<const WorkloadProfile>(*std::move(mix));
  const std::shared_ptr<Logger> log = MakeStderrLogger("berth-replay", "error");
  const RealClock clock;
  Metrics metrics;
  PolicyProbation none([](const PolicyFile&) { return ProbeReport{}; });  // it is our own
  const Result<ServedPolicy> policy =
      MakeServingPolicy(options.policy, {.budget = kBudget}, none, clock, metrics, *log);
  if (!policy.ok()) return policy.status();

  Replay bound(nodes->nodes, profile, policy->scorer, *log);
  Replay sequential(nodes->nodes, profile, policy->scorer, *log);
  for (const PodFacts& facts : pods->pods) {
    const Pod pod = InterpretPod(facts);
    if (pod.node) bound.Bind(pod, *pod.node);
    if (Status placed = sequential.Place(pod); !placed.ok()) return placed;
  }
  const nlohmann::json report = {{"bound", bound.Shares()},
                                 {"sequential", sequential.Shares()},
                                 {"placements", sequential.placements()}};
  std::cout << report.dump(2) << "\n";
  return {};
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) {
  CLI::App app{"Place the same pods one after the other"};
  berth::Options options;
  app.add_option("nodes", options.nodes, "NodeList as JSON")->required();
  app.add_option("pods", options.pods, "PodList as JSON, in the order to place them")->required();
  app.add_option("profile", options.profile, "Workload profile")->required();
  app.add_option("--policy", options.policy, "As that of `berth serve`")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const berth::Status status = berth::Run(options);
  if (status.ok()) return 0;
  std::cerr << "berth-replay: " << status.message() << "\n";
  return 1;
}
