#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "berth/result.h"
#include "sim/in_parallel.h"
#include "sim/living_run.h"
#include "sim/living_workload.h"

namespace berth {

// How full the cluster is kept, and who may overtake whom.
struct LivingSetting {
  QueueRule queue;
  double load = 0;  // DrawLivingWorkload()

  // Without, waits depend on how long the run is: where the first that waits blocks the others, and
  // so GPUs stay idle, a load of 1 is more than can be served.
  bool IsSteady() const { return load < 1 || queue.tried_in_vain > 1; }
};

// FIFO and backfill, each at loads of 0.8, 0.95 and 1.
std::span<const LivingSetting> LivingSettings();

// How long each setting is played.
inline constexpr LivingSpan kLivingSuiteSpan{.warm_up = 3, .length = 8};

struct LivingSuiteRun {
  SimPolicy policy;
  LivingSetting setting;
  uint64_t seed = 0;
  LivingResult result;
};

// Runs every policy in every setting on the same arrivals and lifetimes per seed; the
// result does not depend on the number of threads. Sorted by setting, policy and seed.
// Errors: the first of a run, named.
Result<std::vector<LivingSuiteRun>> RunLivingSuite(const std::vector<SimPolicy>& policies,
                                                   const Trace& trace,
                                                   std::span<const uint64_t> seeds,
                                                   const Parallel& parallel);

}  // namespace berth
