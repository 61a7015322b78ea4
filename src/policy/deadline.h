#pragma once

#include <chrono>

#include "base/metrics.h"
#include "berth/clock.h"
#include "berth/policy.h"

namespace berth {

struct DeadlineLimits {
  std::chrono::milliseconds budget;  // for one request, the wait for a worker included
  int max_busy;   // requests that `inner` works on at once; more wait until one is done
  int max_stuck;  // calls that may hang at once
};

// Runs `inner` on a worker thread and gives up waiting at the request's deadline or after the
// budget, whichever is first, with DEADLINE_EXCEEDED. A forward that hangs cannot be cancelled:
// its worker stays behind, another takes its place, and while `max_stuck` of them hang, new
// requests fail at once (UNAVAILABLE). ChooseGpus has the budget too, and where `inner` is late the
// choice is ChooseGpusBestFit's. Workers are kept for later requests.
//
// Without the bound on those busy a service asked more than it can answer would run as many
// forwards as there are requests, all of them late, and take them for stuck.
//
// The destructor does not wait for stuck workers; they own what they use. `clock` and `metrics`
// outlive the scorer: berth_policy_late_answers_total{policy} counts what was given up,
// berth_policy_stuck_workers{policy} is how many hang.
ScorerPtr MakeDeadlineScorer(ScorerPtr inner, const DeadlineLimits& limits, const Clock& clock,
                             Metrics& metrics);

}  // namespace berth
