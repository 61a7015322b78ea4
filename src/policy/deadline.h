#pragma once

#include <chrono>

#include "base/metrics.h"
#include "berth/clock.h"
#include "berth/policy.h"

namespace berth {

// Runs `inner` on a worker thread and gives up waiting at the request's deadline or after
// `budget`, whichever is first, with DEADLINE_EXCEEDED. A forward that hangs cannot be cancelled:
// its worker stays behind, and while `max_stuck` of them hang, new requests fail at once
// (UNAVAILABLE). ChooseGpus has `budget` too, and where `inner` is late the choice is
// ChooseGpusBestFit's. Workers are kept for later requests: as many as were ever busy at once.
//
// The destructor does not wait for stuck workers; they own what they use. `clock` and `metrics`
// outlive the scorer: berth_policy_late_answers_total{policy} counts what was given up,
// berth_policy_stuck_workers{policy} is how many hang.
ScorerPtr MakeDeadlineScorer(ScorerPtr inner, std::chrono::milliseconds budget, int max_stuck,
                             const Clock& clock, Metrics& metrics);

}  // namespace berth
