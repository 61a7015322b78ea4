#pragma once

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace berth {

using Stopwatch = std::chrono::steady_clock;

inline double SecondsSince(Stopwatch::time_point start) {
  return std::chrono::duration<double>(Stopwatch::now() - start).count();
}

// How long each of many calls took.
class Times {
 public:
  // Calls `what` and passes on what it returns.
  template <class Call>
  auto Measure(Call what) {
    const auto start = Stopwatch::now();
    auto result = what();
    seconds_.push_back(SecondsSince(start));
    return result;
  }

  // The time, in milliseconds, below which `share` of the calls stayed.
  // REQUIRES: something was measured.
  double Milliseconds(double share) {
    const auto at =
        seconds_.begin() + static_cast<ptrdiff_t>(share * static_cast<double>(seconds_.size() - 1));
    std::nth_element(seconds_.begin(), at, seconds_.end());
    return *at * 1000;
  }

 private:
  std::vector<double> seconds_;
};

}  // namespace berth
