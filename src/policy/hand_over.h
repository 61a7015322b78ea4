#pragma once

#include <array>
#include <cstddef>
#include <mutex>

namespace berth {

// Whether another is in charge, by how many of the last decisions were odd: the other takes over
// when more than `limit` of them are, and hands back when fewer than half of that are, so that
// charge does not go to and fro around the limit. Thread-safe.
class HandOver {
 public:
  static constexpr size_t kLast = 200;  // decisions that are looked at
  static constexpr size_t kLeast = 50;  // nothing is judged by fewer

  struct State {
    bool handed_over = false;
    bool changed = false;  // by the decision that was noted just now
    double share = 0;      // of odd ones among the last
  };

  // A share of 0 to 1.
  explicit HandOver(double limit) : limit_(limit) {}

  // Takes in one more decision.
  State Note(bool odd);

  // As of the last decision.
  bool handed_over() const;

 private:
  const double limit_;
  mutable std::mutex mutex_;
  std::array<bool, kLast> last_{};  // a ring; false where nothing was noted yet
  size_t noted_ = 0;
  size_t odd_ = 0;  // in `last_`
  bool handed_over_ = false;
};

}  // namespace berth
