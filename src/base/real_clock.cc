#include "base/real_clock.h"

#include <absl/time/time.h>

#include <ctime>

namespace berth {

Clock::TimePoint RealClock::Now() const { return std::chrono::steady_clock::now(); }

Clock::TimePoint ThreadCpuClock::Now() const {
  timespec spent = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
  return TimePoint(std::chrono::seconds(spent.tv_sec) + std::chrono::nanoseconds(spent.tv_nsec));
}

WallClock::TimePoint RealWallClock::Now() const { return std::chrono::system_clock::now(); }

std::string UtcTime(WallClock::TimePoint time) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", absl::FromChrono(time), absl::UTCTimeZone());
}

}  // namespace berth
