#include "bench/busy_cluster.h"

#include <absl/strings/str_cat.h>

#include <limits>
#include <random>

#include "cluster/feasibility.h"
#include "cluster/gpu_choice.h"
#include "demo/workload.h"
#include "policy/node_groups.h"
#include "sim/openb_nodes.h"

namespace berth {
namespace {

std::vector<NodeSpec> EightGpuNodes(size_t count) {
  std::vector<NodeSpec> shapes = OpenbNodes(GpuAccounting::kManaged);
  std::erase_if(shapes, [](const NodeSpec& node) { return node.gpus != 8; });
  std::vector<NodeSpec> nodes;
  for (size_t i = 0; i < count; ++i) {
    nodes.push_back(shapes[i * 7 % shapes.size()]);
    nodes.back().name = NodeName(absl::StrCat("gpu-node-", absl::Dec(i, absl::kZeroPad5)));
  }
  return nodes;
}

std::vector<Node> Idle(const std::vector<NodeSpec>& specs) {
  std::vector<Node> nodes;
  for (const NodeSpec& spec : specs) {
    nodes.push_back({.spec = std::make_shared<const NodeSpec>(spec), .free = IdleState(spec)});
  }
  return nodes;
}

// A random node that can take the demand; null when some attempts find none.
Node* SomewhereFor(const Demand& demand, std::vector<Node>& nodes, Rng& rng) {
  std::uniform_int_distribution<size_t> pick(0, nodes.size() - 1);
  for (int attempt = 0; attempt < 50; ++attempt) {
    Node& node = nodes[pick(rng)];
    if (CheckFit(node, demand) == Refusal::kNone) return &node;
  }
  return nullptr;
}

size_t DistinctStates(const std::vector<Node>& nodes) {
  std::vector<const Node*> all;
  for (const Node& node : nodes) all.push_back(&node);
  return GroupEqualNodes(all).nodes.size();
}

}  // namespace

BusyCluster MakeBusyCluster(const WorkloadProfile& profile, size_t nodes, size_t pods, Rng& rng) {
  BusyCluster cluster{.nodes = EightGpuNodes(nodes)};
  std::vector<Node> filling = Idle(cluster.nodes);
  constexpr MilliGpu kAny(std::numeric_limits<int64_t>::max() / 2);
  for (Pod& pod : DrawPods(profile, kAny, 2 * pods, rng)) {
    Node* node = SomewhereFor(pod.demand, filling, rng);
    if (node == nullptr) continue;
    node->free = AfterPlacing(node->free, pod.demand, ChooseGpusBestFit(node->free, pod.demand));
    pod.node = node->name();
    cluster.pods.push_back(std::move(pod));
    if (cluster.pods.size() == pods) break;
  }
  cluster.gpu_load = static_cast<double>(TotalGpu(cluster.pods).value()) /
                     static_cast<double>(TotalGpu(cluster.nodes).value());
  cluster.states = DistinctStates(filling);
  return cluster;
}

}  // namespace berth
