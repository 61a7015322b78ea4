#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/node.h"
#include "berth/workload_profile.h"

namespace berth {

// Numbers about the whole cluster that a policy may look at. They move in coarse steps, so that
// scores can be cached, and never depend on the candidates of one request.
struct ClusterContext {
  // Allocated share of all GPUs, to the nearest sixteenth (0..16), with hysteresis: it moves only
  // once the true value has left its bucket by a quarter of a bucket.
  int gpu_load_bucket = 0;

  bool operator==(const ClusterContext&) const = default;
};

struct ClusterTotals {
  int64_t nodes = 0;
  int64_t gpus = 0;
  MilliGpu gpu_capacity;
  MilliGpu gpu_free;
  MilliCpu cpu_capacity;
  MilliCpu cpu_free;
  int64_t bound_pods = 0;  // on nodes of this view
  int64_t pending_pods = 0;

  bool operator==(const ClusterTotals&) const = default;
};

// Lets a NodeIndex be asked with a std::string_view, without a copy.
struct NodeNameHash {
  using is_transparent = void;
  size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
};

// Position of each node in ClusterView::nodes(). Views share one until nodes come or go.
using NodeIndex = absl::flat_hash_map<std::string, uint32_t, NodeNameHash, std::equal_to<>>;

// One moment of the cluster. Immutable: readers keep it as long as they like, from any thread.
class ClusterView {
 public:
  // REQUIRES: `nodes` is sorted by name and `index` says where each one is.
  ClusterView(uint64_t version, std::vector<std::shared_ptr<const Node>> nodes,
              std::shared_ptr<const NodeIndex> index, ClusterTotals totals, ClusterContext context,
              WorkloadProfilePtr profile);

  // Grows with every published change.
  uint64_t version() const { return version_; }

  // Sorted by name.
  std::span<const std::shared_ptr<const Node>> nodes() const { return nodes_; }

  // Null when there is no such node. Valid as long as this view.
  const Node* Find(std::string_view name) const;

  const ClusterTotals& totals() const { return totals_; }
  const ClusterContext& context() const { return context_; }
  const WorkloadProfile& profile() const { return *profile_; }

 private:
  uint64_t version_;
  std::vector<std::shared_ptr<const Node>> nodes_;
  std::shared_ptr<const NodeIndex> index_;
  ClusterTotals totals_;
  ClusterContext context_;
  WorkloadProfilePtr profile_;
};

using ClusterViewPtr = std::shared_ptr<const ClusterView>;

}  // namespace berth
