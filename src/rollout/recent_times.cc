#include "rollout/recent_times.h"

#include <algorithm>
#include <cmath>

namespace berth {

void RecentTimes::Add(std::chrono::nanoseconds time) {
  if (times_.size() < kMost) {
    times_.push_back(time);
  } else {
    times_[next_] = time;
  }
  next_ = (next_ + 1) % kMost;
}

std::chrono::nanoseconds RecentTimes::Quantile(double share) const {
  if (times_.empty()) return {};
  std::vector<std::chrono::nanoseconds> times = times_;
  const auto rank = static_cast<size_t>(std::ceil(share * static_cast<double>(times.size())));
  const auto at = times.begin() + static_cast<std::ptrdiff_t>(std::max<size_t>(rank, 1) - 1);
  std::nth_element(times.begin(), at, times.end());
  return *at;
}

}  // namespace berth
