#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "berth/result.h"
#include "berth/units.h"
#include "sim/event_queue.h"
#include "sim/living_workload.h"
#include "sim/sim_policy.h"
#include "sim/trace.h"

namespace berth {

// Who of those that wait is tried, highest priority first, then oldest first, whenever something
// changes: until so many have been tried in vain. Nothing is reserved for anybody, and nobody is
// preempted.
struct QueueRule {
  std::string_view name;
  size_t tried_in_vain = 1;
};
inline constexpr QueueRule kFifo{"fifo", 1};  // the first blocks all others
// As kube-scheduler parks what does not fit and goes on: the others overtake, and big jobs starve.
// Its back-off has no counterpart: since 1.33 it takes pods out of their back-off as soon as it has
// nothing else to do, and here deciding takes no time.
inline constexpr QueueRule kBackfill{"backfill", 2'000};

// What became of a job.
struct JobHistory {
  enum class State {
    kToCome,
    kRefused,  // not even the idle cluster could take it; it never waits
    kWaits,
    kRuns,
    kLeft,
  };

  State state = State::kToCome;
  SimTime waited;  // in all, until it left or until the end
  bool operator==(const JobHistory&) const = default;
};

// How much is in use and how many jobs wait from some time on.
struct Load {
  SimTime time;
  MilliGpu used;
  size_t waiting = 0;

  bool operator==(const Load&) const = default;
};

struct LivingHistory {
  std::vector<JobHistory> jobs;  // as in the workload
  std::vector<Load> load;        // one for each time at which it changed
  SimTime end;                   // the horizon, or when the last thing happened
  int64_t evicted = 0;           // jobs that lost a node

  bool operator==(const LivingHistory&) const = default;
};

// Lets jobs arrive, wait, run and leave. `rng` decides what the policy leaves to chance.
// Method: a discrete-event simulation with integer time; events of one time happen in the order in
// which they became known. REQUIRES: the workload belongs to the trace. Errors: the policy's.
Result<LivingHistory> PlayLiving(const SimPolicy& policy, const Trace& trace,
                                 const LivingWorkload& workload, const QueueRule& queue, Rng& rng);

}  // namespace berth
