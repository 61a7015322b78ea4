#pragma once

#include <cstddef>

#include "base/metrics.h"
#include "berth/policy.h"

namespace berth {

// A policy that remembers its scores, so that only nodes which have changed are scored anew. A
// score depends on the node's state, the demand, the context and the profile only (berth/policy.h),
// and a state is known by its generation; nodes of generation 0 are always scored, and a score that
// is not finite is not remembered. Of each node the score of one state is kept, that asked about
// last.
//
// Keeps the scores of `max_classes` demands; the one that nobody asked about for longest leaves.
// For the nodes of one cluster. Put it inside of a fallback, so that scores of two policies never
// mix. Counts berth_policy_scores_total{policy,source}. `metrics` outlives the scorer.
ScorerPtr MakeCachedScorer(ScorerPtr inner, size_t max_classes, Metrics& metrics);

}  // namespace berth
