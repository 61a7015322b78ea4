#include "policy/ranking.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
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

// What decides a candidate's place. Kept in one row of memory, since sorting looks at it often.
struct Place {
  float score = 0;
  std::string_view name;
  uint32_t position = 0;  // among the candidates

  bool operator<(const Place& other) const {
    return std::tie(other.score, name, position) < std::tie(score, other.name, other.position);
  }
};

// Puts the candidates at `feasible` into the ranking, best first.
Status AddFeasible(const Scorer& scorer, const ScoreRequest& request, const Positions& feasible,
                   Ranking& ranking) {
  if (feasible.empty()) return absl::OkStatus();
  std::vector<float> scores(feasible.size());
  const Result<Answer> answered = ScoreOnGrid(scorer, request, scores);
  if (!answered.ok()) return answered.status();
  ranking.policy = answered->policy;
  ranking.guard = answered->guard;
  std::vector<Place> places;
  places.reserve(feasible.size());
  for (size_t i = 0; i < feasible.size(); ++i) {
    places.push_back({scores[i], request.candidates[i]->name().value(), feasible[i]});
  }
  std::sort(places.begin(), places.end());
  for (const Place& place : places) {
    ranking.order.push_back(place.position);
    ranking.scores.push_back(place.score);
  }
  return absl::OkStatus();
}

// Puts the candidates at `infeasible` behind, by name.
void AddInfeasible(std::span<const Node* const> candidates, const Positions& infeasible,
                   Ranking& ranking) {
  std::vector<Place> places;
  places.reserve(infeasible.size());
  for (const uint32_t i : infeasible) places.push_back({0, candidates[i]->name().value(), i});
  std::sort(places.begin(), places.end());
  for (const Place& place : places) ranking.order.push_back(place.position);
}

}  // namespace

float OnScoreGrid(float score) {
  return static_cast<float>(std::round(static_cast<double>(score) / kScoreGrid) * kScoreGrid);
}

Result<Answer> ScoreOnGrid(const Scorer& scorer, const ScoreRequest& request,
                           std::span<float> scores) {
  Result<Answer> answered = scorer.Score(request, scores);
  if (!answered.ok()) return answered;
  for (float& score : scores) {
    if (!std::isfinite(score)) {
      return absl::InternalError(
          fmt::format("policy {} gave a score that is not finite", answered->policy));
    }
    score = OnScoreGrid(score);
  }
  return answered;
}

size_t FirstInRanking(std::span<const Node* const> candidates, std::span<const float> scores) {
  const float best = OnScoreGrid(std::ranges::max(scores));
  size_t first = scores.size();
  for (size_t i = 0; i < scores.size(); ++i) {
    // Most are far below, and rounding them would be most of the work.
    if (scores[i] < best - kScoreGrid || OnScoreGrid(scores[i]) < best) continue;
    if (first == scores.size() || candidates[i]->name() < candidates[first]->name()) first = i;
  }
  return first;
}

Result<Ranking> Rank(const Scorer& scorer, const ClusterViewPtr& cluster, const Demand& demand,
                     std::span<const Node* const> candidates, Clock::TimePoint deadline) {
  const Sorted sorted = SortByFit(candidates, demand);
  std::vector<const Node*> nodes;
  for (uint32_t i : sorted.feasible) nodes.push_back(candidates[i]);

  Ranking ranking;
  ranking.feasible = static_cast<uint32_t>(sorted.feasible.size());
  ranking.unknown = static_cast<uint32_t>(sorted.unknown.size());
  const ScoreRequest request{cluster, demand, nodes, deadline};
  if (Status added = AddFeasible(scorer, request, sorted.feasible, ranking); !added.ok()) {
    return added;
  }
  AddInfeasible(candidates, sorted.infeasible, ranking);
  ranking.order.insert(ranking.order.end(), sorted.unknown.begin(), sorted.unknown.end());
  return ranking;
}

}  // namespace berth
