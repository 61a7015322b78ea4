#include "policy/ranking.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "cluster/feasibility.h"

namespace berth {
namespace {

using Positions = std::vector<uint32_t>;

struct Sorted {
  Positions feasible, infeasible, unknown;
};

Sorted SortByFit(std::span<const Node* const> candidates, const Demand& demand) {
  Sorted sorted;
  for (uint32_t i = 0; i < candidates.size(); ++i) {
    const Node* node = candidates[i];
    Positions& kind = node == nullptr                             ? sorted.unknown
                      : CheckFit(*node, demand) == Refusal::kNone ? sorted.feasible
                                                                  : sorted.infeasible;
    kind.push_back(i);
  }
  return sorted;
}

// Scores of the candidates at `positions`, on the grid.
Result<std::vector<float>> FiniteScores(const Scorer& scorer, const ScoreRequest& request,
                                        std::string& policy) {
  std::vector<float> scores(request.candidates.size());
  const Result<std::string_view> answered = scorer.Score(request, scores);
  if (!answered.ok()) return answered.status();
  policy = *answered;
  for (float& score : scores) {
    if (!std::isfinite(score)) {
      return absl::InternalError(fmt::format("policy {} gave a score that is not finite", policy));
    }
    score = OnScoreGrid(score);
  }
  return scores;
}

// Puts the candidates at `feasible` into the ranking, best first.
Status AddFeasible(const Scorer& scorer, const ScoreRequest& request, const Positions& feasible,
                   Ranking& ranking) {
  if (feasible.empty()) return absl::OkStatus();
  const Result<std::vector<float>> scores = FiniteScores(scorer, request, ranking.policy);
  if (!scores.ok()) return scores.status();
  Positions best_first(feasible.size());
  std::iota(best_first.begin(), best_first.end(), 0);
  std::ranges::sort(best_first, [&](uint32_t a, uint32_t b) {
    const auto key = [&](uint32_t i) {
      return std::tuple<float, const NodeName&, uint32_t>(-(*scores)[i],
                                                          request.candidates[i]->name(), i);
    };
    return key(a) < key(b);
  });
  for (uint32_t i : best_first) {
    ranking.order.push_back(feasible[i]);
    ranking.scores.push_back((*scores)[i]);
  }
  return absl::OkStatus();
}

}  // namespace

float OnScoreGrid(float score) {
  return static_cast<float>(std::round(static_cast<double>(score) / kScoreGrid) * kScoreGrid);
}

Result<Ranking> Rank(const Scorer& scorer, const ClusterViewPtr& cluster, const Demand& demand,
                     std::span<const Node* const> candidates, Clock::TimePoint deadline) {
  Sorted sorted = SortByFit(candidates, demand);
  std::ranges::sort(sorted.infeasible, {}, [&](uint32_t i) {
    return std::tuple<const NodeName&, uint32_t>(candidates[i]->name(), i);
  });
  std::vector<const Node*> nodes;
  for (uint32_t i : sorted.feasible) nodes.push_back(candidates[i]);

  Ranking ranking;
  ranking.feasible = static_cast<uint32_t>(sorted.feasible.size());
  ranking.unknown = static_cast<uint32_t>(sorted.unknown.size());
  const ScoreRequest request{cluster, demand, nodes, deadline};
  if (Status added = AddFeasible(scorer, request, sorted.feasible, ranking); !added.ok()) {
    return added;
  }
  ranking.order.insert(ranking.order.end(), sorted.infeasible.begin(), sorted.infeasible.end());
  ranking.order.insert(ranking.order.end(), sorted.unknown.begin(), sorted.unknown.end());
  return ranking;
}

}  // namespace berth
