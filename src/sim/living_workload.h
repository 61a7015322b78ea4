#pragma once

#include <cstdint>
#include <vector>

#include "base/rng.h"
#include "sim/event_queue.h"
#include "sim/trace.h"

namespace berth {

// A job that arrives, and how long it runs once it is placed.
struct LivingJob {
  SimTime arrives;
  SimTime runs;
  uint32_t pod = 0;   // position in the trace's pods
  uint32_t pods = 1;  // so many alike; all are placed at once, or none
  int64_t priority = 0;

  bool operator==(const LivingJob&) const = default;
};

// Something that happens to a node.
struct NodeEvent {
  enum class Kind {
    kFails,     // what runs on it waits anew and then runs from the beginning
    kReturns,   // empty
    kCordoned,  // takes nobody; what is on it stays
    kUncordoned
  };

  SimTime time;
  uint32_t node = 0;
  Kind kind = Kind::kFails;
};

// A horizon for workloads in which everything is to come to its end.
inline constexpr SimTime kUntilNothingHappens = SimTime::max();

// A cluster's life, of which only what comes after the warm-up is looked at.
struct LivingWorkload {
  std::vector<LivingJob> jobs;         // in the order of their arrivals
  std::vector<NodeEvent> node_events;  // in the order of their times
  SimTime mean_lifetime;
  SimTime warm_up;
  SimTime horizon;
};

// How long a cluster lives, in mean lifetimes of a job.
struct LivingSpan {
  int warm_up = 3;
  int length = 8;  // warm-up included
};

// Poisson arrivals of pods drawn from the trace (with replacement), with exponential lifetimes.
// `load` is the share of the trace's GPUs that the pods would use on average if none ever waited.
// What it draws depends on the arguments alone. REQUIRES: the trace has GPUs, and pods that ask for
// some; load > 0; the warm-up ends before the end.
LivingWorkload DrawLivingWorkload(const Trace& trace, double load, Rng& rng,
                                  const LivingSpan& span = {});

}  // namespace berth
