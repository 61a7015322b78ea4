#pragma once

#include <atomic>

#include "berth/wall_clock.h"

namespace berth {

// It is noon on the first of March 2026 (UTC) until told otherwise.
class FakeWallClock final : public WallClock {
 public:
  TimePoint Now() const override { return TimePoint(now_.load()); }

  void Advance(TimePoint::duration by) { now_ = now_.load() + by; }

 private:
  std::atomic<TimePoint::duration> now_{std::chrono::seconds(1'772'366'400)};
};

}  // namespace berth
