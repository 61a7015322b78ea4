#pragma once

#include <chrono>

namespace berth {

// The date as a parameter, for what people read later. It may be set, forwards and back, so it is
// no measure of how long something took: that is Clock's. Implementations are safe to call from
// many threads at once and never block.
class WallClock {
 public:
  using TimePoint = std::chrono::system_clock::time_point;

  virtual ~WallClock() = default;

  virtual TimePoint Now() const = 0;
};

}  // namespace berth
