#include "base/real_clock.h"

#include <absl/time/time.h>

namespace berth {

Clock::TimePoint RealClock::Now() const { return std::chrono::steady_clock::now(); }

WallClock::TimePoint RealWallClock::Now() const { return std::chrono::system_clock::now(); }

std::string UtcTime(WallClock::TimePoint time) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", absl::FromChrono(time), absl::UTCTimeZone());
}

}  // namespace berth
