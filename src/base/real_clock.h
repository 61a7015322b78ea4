#pragma once

#include "berth/clock.h"
#include "berth/wall_clock.h"

namespace berth {

// The machine's own clocks; built in src/apps only.
class RealClock final : public Clock {
 public:
  TimePoint Now() const override;
};

class RealWallClock final : public WallClock {
 public:
  TimePoint Now() const override;
};

}  // namespace berth
