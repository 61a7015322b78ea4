#include "sim/node_scores.h"

#include <utility>

#include "cluster/feasibility.h"
#include "policy/ranking.h"

namespace berth {

NodeScores::NodeScores(const Scorer& scorer, const SimCluster& cluster,
                       std::span<const Demand> demands, ClusterViewPtr surroundings,
                       size_t most_demands)
    : scorer_(scorer),
      cluster_(cluster),
      demands_(demands),
      surroundings_(std::move(surroundings)),
      static_fit_(cluster.nodes(), demands),
      rows_(most_demands),
      looked_at_in_(cluster.nodes().size()) {}

void NodeScores::Row::Set(size_t node, float score) {
  const float before = std::exchange(scores_[node], score);
  if (before == score) return;
  best_->Update(scores_, node, before);
}

void NodeScores::SetSurroundings(ClusterViewPtr surroundings) {
  surroundings_ = std::move(surroundings);
  rows_.Clear();
}

Result<const NodeScores::Row*> NodeScores::For(size_t demand) {
  Row& row = rows_[demand];
  const Status scored = row.best_ ? ScoreChanged(demand, row) : ScoreAll(demand, row);
  if (!scored.ok()) {
    rows_.Forget(demand);
    return scored;
  }
  row.changes_seen_ = cluster_.changes().size();
  return &row;
}

Status NodeScores::ScoreAll(size_t demand, Row& row) {
  row.scores_.assign(cluster_.nodes().size(), kCannotTakeIt);
  feasible_.clear();
  for (const Node& node : cluster_.nodes()) {
    if (CanTakeIt(node.slot, demand)) feasible_.push_back(&node);
  }
  if (Status scored = ScoreFeasible(demand); !scored.ok()) return scored;
  for (size_t i = 0; i < feasible_.size(); ++i) row.scores_[feasible_[i]->slot] = scores_[i];
  row.best_.emplace(row.scores_);
  return absl::OkStatus();
}

Status NodeScores::ScoreChanged(size_t demand, Row& row) {
  ++calls_;
  feasible_.clear();
  for (const uint32_t node : cluster_.changes().subspan(row.changes_seen_)) {
    if (std::exchange(looked_at_in_[node], calls_) == calls_) continue;
    if (CanTakeIt(node, demand)) {
      feasible_.push_back(&cluster_.nodes()[node]);
    } else {
      row.Set(node, kCannotTakeIt);
    }
  }
  if (Status scored = ScoreFeasible(demand); !scored.ok()) return scored;
  for (size_t i = 0; i < feasible_.size(); ++i) row.Set(feasible_[i]->slot, scores_[i]);
  return absl::OkStatus();
}

bool NodeScores::CanTakeIt(size_t node, size_t demand) const {
  return static_fit_.Holds(node, demand) && cluster_.IsOpen(node) &&
         CheckRoom(cluster_.RoomOf(node), demands_[demand]) == Refusal::kNone;
}

Status NodeScores::ScoreFeasible(size_t demand) {
  scores_.resize(feasible_.size());
  if (feasible_.empty()) return absl::OkStatus();
  return ScoreOnGrid(scorer_, {surroundings_, demands_[demand], feasible_}, scores_).status();
}

}  // namespace berth
