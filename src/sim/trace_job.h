#pragma once

#include <cstdint>
#include <string>

#include "sim/event_queue.h"
#include "sim/trace_pod.h"

namespace berth {

// A job of a trace: pods that start together or not at all.
struct TraceJob {
  TracePod pod;       // each of them
  uint32_t pods = 1;  // how many
  SimTime submitted;  // since any moment, the same for all jobs of a trace
  SimTime runs;
  int64_t priority = 0;  // higher goes first
  std::string queue;     // or user: whose it is; empty: unknown

  bool operator==(const TraceJob&) const = default;
};

}  // namespace berth
