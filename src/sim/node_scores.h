#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "berth/policy.h"
#include "policy/recent.h"
#include "sim/max_blocks.h"
#include "sim/sim_cluster.h"
#include "sim/static_fit.h"

namespace berth {

// The scores of every node for each of the `most_demands` asked about last, on the grid on which
// rankings compare them. Asked about a demand, only those nodes are scored that changed since it
// was last asked about, and the cluster says which: nobody looks at the others.
class NodeScores {
 public:
  // The score of a node that cannot take the demand.
  static constexpr float kCannotTakeIt = -std::numeric_limits<float>::infinity();

  // For one demand.
  class Row {
   public:
    float operator[](size_t node) const { return scores_[node]; }
    float Max() const { return best_->Max(); }
    size_t FirstMax() const { return best_->FirstMax(scores_); }

   private:
    friend NodeScores;

    void Set(size_t node, float score);

    std::vector<float> scores_;
    std::optional<MaxBlocks> best_;  // none: never asked about
    size_t changes_seen_ = 0;
  };

  // All but `surroundings` outlive this. Its profile and context are what is scored with.
  NodeScores(const Scorer& scorer, const SimCluster& cluster, std::span<const Demand> demands,
             ClusterViewPtr surroundings, size_t most_demands);

  // What is scored with from now on; nothing is remembered of what was.
  void SetSurroundings(ClusterViewPtr surroundings);

  bool CanTakeIt(size_t node, size_t demand) const;

  // By position in the cluster's nodes. Valid until the next call.
  // Errors: the scorer's; INTERNAL when a score is not finite.
  Result<const Row*> For(size_t demand);

 private:
  Status ScoreAll(size_t demand, Row& row);
  Status ScoreChanged(size_t demand, Row& row);
  Status ScoreFeasible(size_t demand);

  const Scorer& scorer_;
  const SimCluster& cluster_;
  const std::span<const Demand> demands_;
  ClusterViewPtr surroundings_;
  const StaticFit static_fit_;
  Recent<size_t, Row> rows_;
  std::vector<uint64_t> looked_at_in_;  // of each node: the last call that saw it changed
  uint64_t calls_ = 0;
  // Kept from call to call for their memory.
  std::vector<const Node*> feasible_;  // nodes to score
  std::vector<float> scores_;          // of those
};

}  // namespace berth
