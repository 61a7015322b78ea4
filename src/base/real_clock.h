#pragma once

#include <string>

#include "berth/clock.h"

namespace berth {

// The machine's own clock; built in src/apps only.
class RealClock final : public Clock {
 public:
  TimePoint Now() const override;
};

// The calendar's time in UTC, as 2026-11-30T12:00:00Z. Asked for in src/apps only.
std::string UtcNow();

}  // namespace berth
