#include "base/real_clock.h"

#include <absl/time/clock.h>
#include <absl/time/time.h>

namespace berth {

Clock::TimePoint RealClock::Now() const { return std::chrono::steady_clock::now(); }

std::string UtcNow() {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", absl::Now(), absl::UTCTimeZone());
}

}  // namespace berth
