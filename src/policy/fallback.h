#pragma once

#include "base/log.h"
#include "base/metrics.h"
#include "berth/policy.h"

namespace berth {

// Asks `primary`; when it fails, or a score is not finite, `fallback` answers the whole request,
// and the answer says so: Guard::kError, kDeadline or kNotFinite. Each such answer increments
// berth_policy_fallbacks_total{policy,cause} (cause: error, deadline, not_finite); a change between
// the two is logged once as a warning, the return to `primary` as info. GPUs are chosen by
// `primary`. `metrics` and `log` outlive the scorer.
ScorerPtr MakeFallbackScorer(ScorerPtr primary, ScorerPtr fallback, Metrics& metrics, Logger& log);

}  // namespace berth
