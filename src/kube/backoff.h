#pragma once

#include <chrono>

#include "base/rng.h"

namespace berth {

// How long to wait after one failure after another: from 0.2 s, doubling, up to 30 s, of which a
// random half is taken off so that many clients do not come back at once.
class Backoff {
 public:
  explicit Backoff(Rng::result_type seed) : rng_(seed) {}

  std::chrono::milliseconds Next();
  void Reset() { longest_ = kFirst; }

 private:
  static constexpr std::chrono::milliseconds kFirst{200};
  static constexpr std::chrono::milliseconds kLast{30'000};

  Rng rng_;
  std::chrono::milliseconds longest_ = kFirst;  // of the next wait
};

}  // namespace berth
