#pragma once

#include <string>

#include "berth/clock.h"
#include "berth/wall_clock.h"

namespace berth {

// The machine's own clocks; built in src/apps only.
class RealClock final : public Clock {
 public:
  TimePoint Now() const override;
};

// The time that the calling thread has spent on a processor, which a busy machine does not stretch.
class ThreadCpuClock final : public Clock {
 public:
  TimePoint Now() const override;
};

class RealWallClock final : public WallClock {
 public:
  TimePoint Now() const override;
};

// In UTC, as 2026-11-30T12:00:00Z.
std::string UtcTime(WallClock::TimePoint time);

}  // namespace berth
