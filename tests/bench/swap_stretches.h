#pragma once

#include <span>
#include <vector>

#include "bench/open_load.h"

namespace berth {

// Seconds since the load began.
struct Stretch {
  double begin = 0, end = 0;
};

// How long answers took, of requests that were due within a kind of stretch.
struct StretchTimes {
  size_t requests = 0;
  double p50_ms = 0, p99_ms = 0, longest_ms = 0;
};
// All 0 when no request was due there.
StretchTimes TimesWithin(std::span<const Stretch> stretches, std::span<const LoadAnswer> answers);

}  // namespace berth
