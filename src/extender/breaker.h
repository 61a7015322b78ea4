#pragma once

#include <chrono>
#include <mutex>

#include "base/metrics.h"
#include "berth/clock.h"
#include "berth/result.h"

namespace berth {

// Keeps a service that hangs from costing every caller a whole deadline: after kMisses missed
// deadlines in a row nobody asks for kPause, then one question is let through to see (the probe),
// and so on until one is answered in time. Anything but a missed deadline is an answer: an error
// comes at once and costs nobody time. (M. Nygard, "Release It!", circuit breaker.)
// Thread-safe; never blocks.
class Breaker {
 public:
  static constexpr int kMisses = 3;
  static constexpr std::chrono::seconds kPause{1};

  // The references outlive the breaker.
  Breaker(const Clock& clock, Metrics& metrics);

  // Whether to ask now. Whoever is let through says with Note what came of it.
  bool Allows();
  void Note(const Status& answer);

 private:
  const Clock& clock_;
  Counter& opened_;
  Gauge& open_;

  std::mutex mutex_;
  int misses_ = 0;  // in a row; open from kMisses on
  Clock::TimePoint next_probe_;
};

}  // namespace berth
