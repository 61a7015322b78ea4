#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "berth/policy.h"

namespace berth {

// Scores are compared on a grid this fine.
inline constexpr double kScoreGrid = 1.0 / 1024;

// The nearest multiple of kScoreGrid.
float OnScoreGrid(float score);

// Scorer::Score, with scores on the grid. Errors: the scorer's; INTERNAL when a score is not
// finite.
Result<Answer> ScoreOnGrid(const Scorer& scorer, const ScoreRequest& request,
                           std::span<float> scores);

// The position of the candidate that Rank puts first. REQUIRES: finite scores of all, not none.
size_t FirstInRanking(std::span<const Node* const> candidates, std::span<const float> scores);

struct Ranking {
  std::vector<uint32_t> order;  // positions among the candidates, best first; every one once
  uint32_t feasible = 0;        // how many of `order`, from the front, can take the pod
  uint32_t unknown = 0;         // how many of `order`, at the end, are nodes not in the view
  std::vector<float> scores;    // of the feasible ones, in the order of `order`, on the grid
  std::string policy;           // name of the policy that answered; empty when none was needed
  Guard guard = Guard::kNone;   // what made it answer in place of the policy that was asked
};

// Ranks candidates for a pod: those that can take it (CheckFit) by falling score, then those that
// cannot by name, then the unknown ones (null pointers). Scores are rounded to kScoreGrid before
// ties are broken by node name, so that batch size and processor do not decide.
// Errors: the scorer's; INTERNAL when it gave a score that is not finite.
Result<Ranking> Rank(const Scorer& scorer, const ClusterViewPtr& cluster, const Demand& demand,
                     std::span<const Node* const> candidates,
                     Clock::TimePoint deadline = Clock::TimePoint::max());

}  // namespace berth
