#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "berth/policy.h"
#include "sim/max_tree.h"
#include "sim/sim_cluster.h"

namespace berth {

// The scores of every node for each of a few kinds of demand, on the grid on which rankings compare
// them. Asked about a demand, only those nodes are scored that changed since it was last asked
// about: Scorer promises that a score depends on the node itself and on nothing else that moves.
class ScoreCache {
 public:
  // The score of a node that cannot take the demand.
  static constexpr float kCannotTakeIt = -std::numeric_limits<float>::infinity();

  // All but `surroundings` outlive this. Its profile and context are what is scored with.
  ScoreCache(const Scorer& scorer, const SimCluster& cluster, std::span<const Demand> demands,
             ClusterViewPtr surroundings);

  // By position in the cluster's nodes. Valid until the next call.
  // Errors: the scorer's; INTERNAL when a score is not finite.
  Result<const MaxTree*> ScoresFor(size_t demand);

 private:
  struct Entry {
    std::optional<MaxTree> scores;  // none: never asked about
    size_t changes_seen = 0;
  };

  void CollectAll();
  void CollectChanged(size_t changes_seen);
  Status ScoreCollected(const Demand& demand);

  const Scorer& scorer_;
  const SimCluster& cluster_;
  const std::span<const Demand> demands_;
  const ClusterViewPtr surroundings_;
  std::vector<Entry> entries_;  // of each demand
  // The nodes to score anew; kept from call to call for their memory.
  std::vector<uint32_t> collected_;
  std::vector<uint64_t> collected_in_;  // of each node: the last call that collected it
  uint64_t calls_ = 0;
  std::vector<float> scores_;           // of `collected_`
  std::vector<const Node*> feasible_;   // those of `collected_` that can take the demand
  std::vector<float> feasible_scores_;  // of `feasible_`
};

}  // namespace berth
