#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/job_size.h"
#include "sim/living_history.h"
#include "sim/replay.h"

namespace berth {

// How long jobs waited, of those that were placed in the end, in seconds.
struct WaitTimes {
  int64_t jobs = 0;
  int64_t refused = 0;  // not among `jobs`
  double mean = 0, median = 0, p99 = 0, longest = 0;
};

// A stretch of time, and averages over it.
struct LoadSlice {
  SimTime from;
  double gpus = 0;  // in use
  double waiting = 0;
};

struct ReplaySummary {
  int64_t left = 0;        // jobs that ran to their end
  double gpus = 0;         // in use, averaged over all the time
  MilliGpu in_use_at_end;  // nothing, when every job left
  WaitTimes waits;
  std::array<WaitTimes, kJobSizes> waits_by_size;
  std::map<std::string, WaitTimes> waits_by_queue;
  std::vector<std::string> refused;  // their names, in the order in which they were submitted
};

// REQUIRES of both: the history is one of the replay, played to its end.
ReplaySummary SummarizeReplay(const Replay& replay, const LivingHistory& history);

// The time of the history in so many equal slices, in whole microseconds; empty ones are left out.
std::vector<LoadSlice> SliceLoad(const LivingHistory& history, size_t slices);

}  // namespace berth
