#include "sim/sim_cluster.h"

#include <bit>
#include <memory>
#include <utility>

#include "cluster/fleet.h"

namespace berth {

namespace {

// REQUIRES: it asks for GPUs.
int KindNumber(const Demand& demand) {
  return demand.IsShare() ? 0 : std::bit_width(static_cast<unsigned>(demand.gpus));
}

}  // namespace

GpuPodKinds KindOf(const Demand& demand) {
  if (demand.gpus == 0) return 0;
  return static_cast<GpuPodKinds>(1U << KindNumber(demand));
}

SimCluster::SimCluster(const std::vector<NodeSpec>& nodes)
    : open_(nodes.size(), true), pods_(nodes.size()), kinds_after_(2) {
  nodes_.reserve(nodes.size());
  for (const NodeSpec& spec : nodes) {
    nodes_.push_back({.spec = std::make_shared<const NodeSpec>(spec),
                      .free = IdleState(spec),
                      .generation = 1,
                      .slot = static_cast<uint32_t>(nodes_.size())});
    rooms_.push_back(RoomIn(nodes_.back().free));
    gpu_capacity_ += kWholeGpu * spec.gpus;
  }
}

void SimCluster::Place(size_t node, const Demand& demand, const GpuSet& gpus) {
  nodes_[node].free = AfterPlacing(nodes_[node].free, demand, gpus);
  if (demand.gpus > 0) ++pods_[node][KindNumber(demand)];
  gpu_used_ += demand.TotalGpu();
  Changed(node);
}

void SimCluster::Remove(size_t node, const Demand& demand, const GpuSet& gpus) {
  nodes_[node].free = AfterLeaving(nodes_[node].free, demand, gpus);
  if (demand.gpus > 0) --pods_[node][KindNumber(demand)];
  gpu_used_ -= demand.TotalGpu();
  Changed(node);
}

void SimCluster::SetOpen(size_t node, bool open) {
  open_[node] = open;
  Changed(node);
}

void SimCluster::Changed(size_t node) {
  GpuPodKinds kinds = 0;
  for (int kind = 0; kind < kKinds; ++kind) {
    if (pods_[node][kind] > 0) kinds |= static_cast<GpuPodKinds>(1U << kind);
  }
  kinds_after_.push_back(kinds);
  changes_.push_back(static_cast<uint32_t>(node));
  nodes_[node].generation = changes_.size() + 1;
  rooms_[node] = RoomIn(nodes_[node].free);
}

WorkloadProfilePtr MixOn(const SimCluster& cluster, const WorkloadProfilePtr& mix,
                         bool pods_leave) {
  Fleet fleet;
  for (const Node& node : cluster.nodes()) AddTo(fleet, *node.spec);
  return std::make_shared<const WorkloadProfile>(mix->On(fleet).WithDepartures(pods_leave));
}

GpuPodKinds SimCluster::KindsOn(const Node& node) const {
  return node.generation < kinds_after_.size() ? kinds_after_[node.generation] : 0;
}

}  // namespace berth
