#pragma once

#include <atomic>

#include "berth/clock.h"

namespace berth {

// Stands still until told otherwise.
class FakeClock final : public Clock {
 public:
  TimePoint Now() const override { return TimePoint(now_.load()); }

  void Advance(TimePoint::duration by) { now_ = now_.load() + by; }

 private:
  std::atomic<TimePoint::duration> now_{std::chrono::hours(1)};
};

}  // namespace berth
