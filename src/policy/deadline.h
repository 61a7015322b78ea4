#pragma once

#include <chrono>

#include "base/metrics.h"
#include "berth/clock.h"
#include "berth/policy.h"

namespace berth {

// Runs `inner` on a worker thread and gives up waiting at the request's deadline or after
// `budget`, whichever is first, with DEADLINE_EXCEEDED. A forward that hangs cannot be cancelled:
// its worker stays behind, and when `max_stuck` of them hang, requests fail at once
// (UNAVAILABLE) until one returns. The destructor does not wait for stuck workers; they own what
// they use.
ScorerPtr MakeDeadlineScorer(ScorerPtr inner, std::chrono::milliseconds budget, int max_stuck,
                             const Clock& clock, Metrics& metrics);

}  // namespace berth
