#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/job_size.h"
#include "sim/living_history.h"

namespace berth {

// Of the jobs that arrived after the warm-up and were not refused. Who still waits at the horizon
// counts with the time waited until then.
struct Waits {
  int64_t jobs = 0;
  int64_t still_waiting = 0;
  double mean = 0;  // in mean lifetimes; 0 without jobs
};

struct LivingResult {
  double allocated = 0;  // share of all GPUs in use, averaged over the time after the warm-up
  Waits waits;
  std::array<Waits, kJobSizes> waits_by_size;
  int64_t evicted = 0;  // jobs that lost a node, in all the time
};

// What PlayLiving() plays, summed up.
// REQUIRES: as there; the workload has a mean lifetime, and the trace GPUs. Errors: the policy's.
Result<LivingResult> RunLiving(const SimPolicy& policy, const Trace& trace,
                               const LivingWorkload& workload, const QueueRule& queue, Rng& rng);

}  // namespace berth
