#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "berth/node.h"
#include "berth/workload_profile.h"
#include "sim/idle_gpu.h"
#include "sim/percent_means.h"
#include "sim/sim_cluster.h"
#include "sim/trace.h"

namespace berth {

// What there is to see of a packing run beside what was allocated. By arrived demand, in percent of
// all GPUs.
struct PackingRecord {
  PercentMeans fragmentation;  // F of the FGD paper: cluster/fragmentation.h
  std::array<PercentMeans, kIdleGpuKinds> idle;
};

// Watches a run. After each arrival it looks at the nodes that have changed and at no others.
class PackingRecorder {
 public:
  // Of a run of this trace, which outlives it. REQUIRES: the trace has GPUs.
  explicit PackingRecorder(const Trace& trace);

  // After one more arrival; `arrived` is the demand so far. REQUIRES: always the same cluster.
  void Record(const SimCluster& cluster, MilliGpu arrived);

  const PackingRecord& record() const { return record_; }
  // As they were last, in the cluster's order; none before the first arrival.
  const std::vector<Node>& nodes() const { return nodes_; }

 private:
  // What is idle on a node, in milli-GPU.
  struct Idle {
    double fragment = 0;
    IdleGpuSplit split{};
  };

  void LookAt(const Node& node, size_t number);

  const WorkloadProfilePtr profile_;
  const IdleGpuSplitter splitter_;
  PackingRecord record_;
  std::vector<Node> nodes_;
  std::vector<Idle> idle_;  // of each node
  Idle sum_;
  size_t changes_seen_ = 0;
};

}  // namespace berth
