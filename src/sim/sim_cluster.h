#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "berth/node.h"
#include "berth/pod.h"
#include "berth/workload_profile.h"
#include "cluster/feasibility.h"

namespace berth {

// A set of kinds of pods with GPUs, a bit for each: shares, one GPU, 2 to 3, 4 to 7 and so on.
using GpuPodKinds = uint16_t;

// The kind of the demand alone; the empty set without GPUs.
GpuPodKinds KindOf(const Demand& demand);

// The nodes of a simulation: changed in place, by one thread, without views or books.
class SimCluster {
 public:
  // All idle. Nodes keep their order; it decides ties.
  explicit SimCluster(const std::vector<NodeSpec>& nodes);

  const std::vector<Node>& nodes() const { return nodes_; }

  // REQUIRES: the GPUs have the demand free, as AfterPlacing() asks.
  void Place(size_t node, const Demand& demand, const GpuSet& gpus);
  // REQUIRES: it was placed so.
  void Remove(size_t node, const Demand& demand, const GpuSet& gpus);

  // A node that is closed takes nobody; what is on it stays. All are open at first.
  void SetOpen(size_t node, bool open);
  bool IsOpen(size_t node) const { return open_[node]; }

  // The kinds of pods on the node, which is known by its generation; none on any other node.
  GpuPodKinds KindsOn(const Node& node) const;

  // What CheckRoom() looks at.
  const Room& RoomOf(size_t node) const { return rooms_[node]; }

  // The nodes that changed, in the order of the changes: who remembers how many it has seen knows
  // what is new.
  std::span<const uint32_t> changes() const { return changes_; }

  MilliGpu gpu_capacity() const { return gpu_capacity_; }
  MilliGpu gpu_used() const { return gpu_used_; }

 private:
  static constexpr int kKinds = std::numeric_limits<GpuPodKinds>::digits;

  void Changed(size_t node);

  std::vector<Node>
      nodes_;  // of generation n since change n - 2, 1 before; in slots of their order
  std::vector<Room> rooms_;  // in each node
  std::vector<bool> open_;
  std::vector<std::array<uint16_t, kKinds>> pods_;  // on each node, of each kind
  std::vector<uint32_t> changes_;
  std::vector<GpuPodKinds> kinds_after_;  // of the node that changed, by its generation
  MilliGpu gpu_capacity_;
  MilliGpu gpu_used_;
};

// What policies are told about the work that the cluster serves.
WorkloadProfilePtr MixOn(const SimCluster& cluster, const WorkloadProfilePtr& mix, bool pods_leave);

}  // namespace berth
