#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "berth/result.h"
#include "sim/in_parallel.h"
#include "sim/living_run.h"

namespace berth {

// How full the cluster is kept, and who may overtake whom.
struct LivingSetting {
  QueueRule queue;
  double load = 0;  // DrawLivingWorkload()
};

// FIFO and backfill, each at loads of 0.8, 0.95 and 1.
std::span<const LivingSetting> LivingSettings();

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
