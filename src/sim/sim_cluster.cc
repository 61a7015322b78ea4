#include "sim/sim_cluster.h"

#include <bit>
#include <memory>
#include <utility>

namespace berth {

GpuPodKinds KindOf(const Demand& demand) {
  if (demand.gpus == 0) return 0;
  const int bit = demand.IsShare() ? 0 : std::bit_width(static_cast<unsigned>(demand.gpus));
  return static_cast<GpuPodKinds>(1U << bit);
}

SimCluster::SimCluster(const std::vector<NodeSpec>& nodes) : kinds_after_(1) {
  nodes_.reserve(nodes.size());
  for (const NodeSpec& spec : nodes) {
    nodes_.push_back({.spec = std::make_shared<const NodeSpec>(spec), .free = IdleState(spec)});
    gpu_capacity_ += kWholeGpu * spec.gpus;
  }
}

void SimCluster::Place(size_t node, const Demand& demand, const GpuSet& gpus) {
  Node& changed = nodes_[node];
  kinds_after_.push_back(KindsOn(changed) | KindOf(demand));
  changed.free = AfterPlacing(changed.free, demand, gpus);
  changes_.push_back(static_cast<uint32_t>(node));
  changed.generation = changes_.size();
  gpu_used_ += demand.TotalGpu();
}

GpuPodKinds SimCluster::KindsOn(const Node& node) const {
  return node.generation < kinds_after_.size() ? kinds_after_[node.generation] : 0;
}

}  // namespace berth
