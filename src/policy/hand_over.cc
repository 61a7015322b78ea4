#include "policy/hand_over.h"

#include <algorithm>

namespace berth {

HandOver::State HandOver::Note(bool odd) {
  const std::lock_guard lock(mutex_);
  bool& oldest = last_[noted_++ % kLast];
  odd_ += static_cast<size_t>(odd);
  odd_ -= static_cast<size_t>(oldest);
  oldest = odd;
  const double share = static_cast<double>(odd_) / static_cast<double>(std::min(noted_, kLast));
  const bool before = handed_over_;
  if (noted_ >= kLeast) handed_over_ = before ? share >= limit_ / 2 : share > limit_;
  return {handed_over_, handed_over_ != before, share};
}

bool HandOver::handed_over() const {
  const std::lock_guard lock(mutex_);
  return handed_over_;
}

}  // namespace berth
