#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

namespace berth {

// How long the last thousand of something took.
class RecentTimes {
 public:
  static constexpr size_t kMost = 1000;

  void Add(std::chrono::nanoseconds time);

  // The time that a share of them, 0 to 1, did not exceed; 0 when there are none.
  std::chrono::nanoseconds Quantile(double share) const;

 private:
  std::vector<std::chrono::nanoseconds> times_;
  size_t next_ = 0;
};

}  // namespace berth
