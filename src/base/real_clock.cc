#include "base/real_clock.h"

namespace berth {

Clock::TimePoint RealClock::Now() const { return std::chrono::steady_clock::now(); }

WallClock::TimePoint RealWallClock::Now() const { return std::chrono::system_clock::now(); }

}  // namespace berth
