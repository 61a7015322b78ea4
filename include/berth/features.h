#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/cluster_view.h"
#include "berth/feature_column.h"
#include "berth/node.h"
#include "berth/pod.h"
#include "berth/result.h"
#include "berth/workload_profile.h"

namespace berth {

// Columns about one placement: a pod on certain GPUs of a node. "before" and "after" are that
// node's state without and with the pod.
std::span<const FeatureColumn> PlacementColumns();

// Columns about the whole cluster, the same for every candidate of a request.
std::span<const FeatureColumn> ContextColumns();

// Which columns a policy reads, in order, and the functions that fill them in. Training and
// serving encode through this class alone. Immutable; pure functions; safe from any thread.
class FeatureSchema {
 public:
  // Errors: INVALID_ARGUMENT that names a column which does not exist or comes twice.
  static Result<FeatureSchema> Make(std::vector<std::string> columns,
                                    std::vector<std::string> context_columns);

  const std::vector<std::string>& columns() const { return columns_; }
  const std::vector<std::string>& context_columns() const { return context_columns_; }

  // SHA-256 (64 hex digits) over the names above in order, and over nothing else: columns that
  // other policies read, or that are added later, do not change it.
  std::string Hash() const;

  // One row of columns().size() numbers per way of placing the pod, row after row.
  // REQUIRES: every choice has demand.gpus entries with demand.per_gpu free on `node`;
  // rows.size() == choices.size() * columns().size().
  void EncodePlacements(const Node& node, const Demand& demand, std::span<const GpuSet> choices,
                        const WorkloadProfile& profile, std::span<float> rows) const;

  // REQUIRES: row.size() == context_columns().size().
  void EncodeContext(const ClusterContext& context, const WorkloadProfile& profile,
                     std::span<float> row) const;

 private:
  FeatureSchema() = default;

  std::vector<std::string> columns_;
  std::vector<std::string> context_columns_;
  // Positions of the above in PlacementColumns() and ContextColumns().
  std::vector<size_t> placement_indices_;
  bool reads_before_ = false, reads_after_ = false;  // a state feature
  std::vector<size_t> context_indices_;
};

}  // namespace berth
