#pragma once

#include <chrono>

namespace berth {

// Time as a parameter, so that the simulator and tests can supply their own.
// Implementations are safe to call from many threads at once and never block.
class Clock {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  virtual ~Clock() = default;

  // Never goes back; its origin means nothing.
  virtual TimePoint Now() const = 0;
};

}  // namespace berth
