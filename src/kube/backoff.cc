#include "kube/backoff.h"

#include <algorithm>

namespace berth {

std::chrono::milliseconds Backoff::Next() {
  const int64_t longest = longest_.count();
  longest_ = std::min(2 * longest_, last_);
  return std::chrono::milliseconds(std::uniform_int_distribution(longest / 2, longest)(rng_));
}

}  // namespace berth
