#pragma once

#include <absl/container/inlined_vector.h>

#include <cstdint>
#include <memory>
#include <string>

#include "berth/pod.h"
#include "berth/units.h"

namespace berth {

// Indices of GPUs on one node are below this.
inline constexpr int kMaxGpusPerNode = 256;

// What a node has, whatever runs on it.
struct NodeSpec {
  NodeName name;
  MilliCpu cpu;  // allocatable
  MiB memory;    // allocatable
  int gpus = 0;  // allocatable, each kWholeGpu; at most kMaxGpusPerNode
  GpuModel model;
  MiB gpu_memory;                                   // of each GPU; 0: unknown
  GpuAccounting accounting = GpuAccounting::kNone;  // kNone exactly when gpus == 0
  std::string zone;                                 // failure domain; empty: unknown
  std::string pool;                                 // as its administrator calls it; empty: none
  bool cordoned = false;  // takes no new pods; only deciders without kube-scheduler look at this

  bool operator==(const NodeSpec&) const = default;
};

// Free milli per GPU, by GPU index. Never negative.
using GpuFreeList = absl::InlinedVector<MilliGpu, 8>;

// GPU indices on one node, ascending and without repeats.
using GpuSet = absl::InlinedVector<uint8_t, 8>;

// What is left of a node. CPU and memory go below zero when a node is over-committed (pods that
// bypassed the scheduler, or an allocatable that shrank).
struct FreeState {
  MilliCpu cpu;
  MiB memory;
  GpuFreeList gpus;

  MilliGpu TotalGpu() const;
  int WholeGpus() const;  // GPUs that nobody uses

  bool operator==(const FreeState&) const = default;
};

// A node in a ClusterView: immutable, cheap to copy.
struct Node {
  std::shared_ptr<const NodeSpec> spec;  // never null
  FreeState free;
  // Differs whenever spec or free differs from an earlier state of any node; equal generations of
  // one node mean equal states. A good key for caches; 0: a state outside of any ClusterState,
  // which is like no other.
  uint64_t generation = 0;
  // A small number of its own among the nodes of a view, and its own as long as it is there: where
  // to keep what is known about it. One that comes later may get the number of one that has gone.
  uint32_t slot = 0;

  const NodeName& name() const { return spec->name; }
};

// All of the node's resources unused.
FreeState IdleState(const NodeSpec& spec);

// The free state after one more pod took its demand on the given GPUs (what-if: nothing else
// changes). REQUIRES: `gpus` has demand.gpus entries, each with demand.per_gpu free.
FreeState AfterPlacing(const FreeState& free, const Demand& demand, const GpuSet& gpus);

// The free state after such a pod has left. REQUIRES: it was placed so on the same node.
FreeState AfterLeaving(const FreeState& free, const Demand& demand, const GpuSet& gpus);

}  // namespace berth
