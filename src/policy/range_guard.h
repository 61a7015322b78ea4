#pragma once

#include "base/log.h"
#include "base/metrics.h"
#include "berth/features.h"
#include "berth/policy.h"
#include "policy/feature_ranges.h"

namespace berth {

// What a policy saw in training: the columns that it reads, and what they held.
struct SeenInTraining {
  FeatureSchema schema;
  FeatureRanges ranges;  // a column that is not named may hold anything
};

// Asks `policy`, and looks at the columns of the placement that it puts first and of the cluster.
// When more than `limit` (0 to 1) of the last decisions had one outside of what training saw, by
// more than a hundredth of the range, the heuristic takes over: it answers, with Guard::kRanges,
// until fewer than half as many do (policy/hand_over.h). The policy is asked all the while, since
// what counts is what it would see if it were in charge. GPUs are chosen by whoever is in charge.
//
// Counts berth_policy_fallbacks_total{policy,cause="ranges"}, sets
// berth_policy_handed_over{policy}, warns when the heuristic takes over, and says when it hands
// back. Answers in which another guard has stepped in are passed on and not counted in. `metrics`
// and `log` outlive the scorer. Scores of `policy` are finite: put it around MakeFallbackScorer.
ScorerPtr MakeRangeGuard(ScorerPtr policy, ScorerPtr heuristic, SeenInTraining seen, double limit,
                         Metrics& metrics, Logger& log);

}  // namespace berth
