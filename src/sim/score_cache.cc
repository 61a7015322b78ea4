#include "sim/score_cache.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <utility>

#include "cluster/feasibility.h"
#include "policy/ranking.h"

namespace berth {

ScoreCache::ScoreCache(const Scorer& scorer, const SimCluster& cluster,
                       std::span<const Demand> demands, ClusterViewPtr surroundings)
    : scorer_(scorer),
      cluster_(cluster),
      demands_(demands),
      surroundings_(std::move(surroundings)),
      entries_(demands.size()),
      collected_in_(cluster.nodes().size()) {}

Result<const MaxTree*> ScoreCache::ScoresFor(size_t demand) {
  Entry& entry = entries_[demand];
  ++calls_;
  if (entry.scores) {
    CollectChanged(entry.changes_seen);
  } else {
    CollectAll();
  }
  if (Status scored = ScoreCollected(demands_[demand]); !scored.ok()) return scored;
  if (entry.scores) {
    for (size_t i = 0; i < collected_.size(); ++i) entry.scores->Set(collected_[i], scores_[i]);
  } else {
    entry.scores.emplace(scores_);
  }
  entry.changes_seen = cluster_.changes().size();
  return &*entry.scores;
}

void ScoreCache::CollectAll() {
  collected_.resize(cluster_.nodes().size());
  std::iota(collected_.begin(), collected_.end(), 0);
}

void ScoreCache::CollectChanged(size_t changes_seen) {
  collected_.clear();
  for (const uint32_t node : cluster_.changes().subspan(changes_seen)) {
    if (std::exchange(collected_in_[node], calls_) != calls_) collected_.push_back(node);
  }
}

Status ScoreCache::ScoreCollected(const Demand& demand) {
  scores_.clear();
  feasible_.clear();
  for (const uint32_t i : collected_) {
    const Node& node = cluster_.nodes()[i];
    const bool fits = cluster_.IsOpen(i) && CheckFit(node, demand) == Refusal::kNone;
    if (fits) feasible_.push_back(&node);
    scores_.push_back(fits ? 0 : kCannotTakeIt);
  }
  if (feasible_.empty()) return absl::OkStatus();
  feasible_scores_.resize(feasible_.size());
  const auto answered =
      scorer_.Score({surroundings_, demand, feasible_}, std::span(feasible_scores_));
  if (!answered.ok()) return answered.status();
  size_t next = 0;
  for (float& score : scores_) {
    if (score == kCannotTakeIt) continue;
    score = OnScoreGrid(feasible_scores_[next++]);
    if (std::isfinite(score)) continue;
    return absl::InternalError(
        fmt::format("policy {} gave a score that is not finite", scorer_.name()));
  }
  return absl::OkStatus();
}

}  // namespace berth
