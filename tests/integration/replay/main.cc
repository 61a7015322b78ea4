// berth-replay NODES.json PODS.json PROFILE.json
//
// Reads the lists as kube-apiserver writes them and prints, as JSON, how much GPU is allocated and
// how much of it is fragmented (FGD's F), both as shares of all GPU:
//   "bound"       with the pods on the nodes that they are bound to
//   "sequential"  with the same pods placed one after the other in the order of the file, each
//                 first in the ranking of fgd-bestfit with every pod before it in the books
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/metrics.h"
#include "cluster/cluster_state.h"
#include "cluster/fragmentation.h"
#include "cluster/profile_file.h"
#include "facts/interpret.h"
#include "kube/watch_event.h"
#include "policy/heuristics.h"
#include "policy/ranking.h"

namespace berth {
namespace {

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
      return {};
    }
    Bind(std::move(pod), all[ranking->order.front()]->name());
    return {};
  }

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
};

Result<ListPage> ReadList(ObjectKind kind, const char* path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return absl::NotFoundError(std::string("cannot read ") + path);
  return ParseListPage(kind, std::string(std::istreambuf_iterator<char>(in), {}));
}

Status Run(char** paths) {
  const Result<ListPage> nodes = ReadList(ObjectKind::kNode, paths[0]);
  if (!nodes.ok()) return nodes.status();
  const Result<ListPage> pods = ReadList(ObjectKind::kPod, paths[1]);
  if (!pods.ok()) return pods.status();
  Result<WorkloadProfile> mix = LoadProfile(paths[2]);
  if (!mix.ok()) return mix.status();
  const auto profile = std::make_shared<const WorkloadProfile>(*std::move(mix));
  const std::shared_ptr<Logger> log = MakeStderrLogger("berth-replay", "error");

  Replay bound(nodes->nodes, profile, MakeFgdBestFit(), *log);
  Replay sequential(nodes->nodes, profile, MakeFgdBestFit(), *log);
  for (const PodFacts& facts : pods->pods) {
    const Pod pod = InterpretPod(facts);
    if (pod.node) bound.Bind(pod, *pod.node);
    if (Status placed = sequential.Place(pod); !placed.ok()) return placed;
  }
  const nlohmann::json report = {{"bound", bound.Shares()}, {"sequential", sequential.Shares()}};
  std::cout << report.dump(2) << "\n";
  return {};
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: berth-replay NODES.json PODS.json PROFILE.json\n";
    return 2;
  }
  const berth::Status status = berth::Run(argv + 1);
  if (status.ok()) return 0;
  std::cerr << "berth-replay: " << status.message() << "\n";
  return 1;
}
