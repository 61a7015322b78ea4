#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/rng.h"
#include "berth/pod.h"
#include "berth/result.h"
#include "sim/living_workload.h"
#include "sim/sim_policy.h"
#include "sim/trace.h"

namespace berth {

// Who of those that wait is tried, oldest first, whenever something changes: until so many have
// been tried in vain. Nothing is reserved for anybody.
struct QueueRule {
  std::string_view name;
  size_t tried_in_vain = 1;
};
inline constexpr QueueRule kFifo{"fifo", 1};  // the oldest blocks all others
// As kube-scheduler parks what does not fit and goes on: the others overtake, and big jobs starve.
inline constexpr QueueRule kBackfill{"backfill", 2'000};

enum class JobSize { kNoGpu, kShare, kOneGpu, kSeveralGpus, kEightGpus };  // 2 to 7; 8 and more
inline constexpr size_t kJobSizes = 5;
JobSize SizeOf(const Demand& demand);
std::string_view NameOf(JobSize size);

// Of the jobs that arrived after the warm-up. Who still waits at the horizon counts with the time
// waited until then.
struct Waits {
  int64_t jobs = 0;
  int64_t still_waiting = 0;
  double mean = 0;  // in mean lifetimes; 0 without jobs
};

struct LivingResult {
  double allocated = 0;  // share of all GPUs in use, averaged over the time after the warm-up
  Waits waits;
  std::array<Waits, kJobSizes> waits_by_size;
  int64_t evicted = 0;  // pods that lost their node, in all the time
};

// Lets pods arrive, wait, run and leave. `rng` decides what the policy leaves to chance.
// Method: a discrete-event simulation with integer time; events of one time happen in the order in
// which they became known. REQUIRES: the workload belongs to the trace. Errors: the policy's.
Result<LivingResult> RunLiving(const SimPolicy& policy, const Trace& trace,
                               const LivingWorkload& workload, const QueueRule& queue, Rng& rng);

}  // namespace berth
