#pragma once

#include "base/log.h"
#include "base/metrics.h"
#include "berth/policy.h"

namespace berth {

// Asks `policy`, and `heuristic` about the same. Where the node that the policy puts first would be
// fragmented by more than `cap` milli-GPU more than the heuristic's (policy/choice_regret.h), the
// heuristic answers the whole request: Guard::kRegret. Where another guard has stepped in already
// nothing is compared. GPUs are chosen by `policy`.
//
// Counts berth_policy_fallbacks_total{policy,cause="regret"}; warns of the first in a long while,
// for good policies may be wrong now and then. `metrics` and `log` outlive the scorer.
// Scores of `policy` are finite: put it around MakeFallbackScorer. A heuristic that remembers its
// scores (policy/cache.h) makes it cheap.
ScorerPtr MakeRegretGuard(ScorerPtr policy, ScorerPtr heuristic, double cap, Metrics& metrics,
                          Logger& log);

}  // namespace berth
