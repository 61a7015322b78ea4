#pragma once

#include <chrono>

#include "base/rng.h"

namespace berth {

// How long to wait after one failure after another: from `first` on, doubling, up to `last`, of
// which a random half is taken off so that many clients do not come back at once.
class Backoff {
 public:
  explicit Backoff(Rng::result_type seed,
                   std::chrono::milliseconds first = std::chrono::milliseconds(200),
                   std::chrono::milliseconds last = std::chrono::seconds(30))
      : first_(first), last_(last), rng_(seed), longest_(first) {}

  std::chrono::milliseconds Next();
  void Reset() { longest_ = first_; }

 private:
  const std::chrono::milliseconds first_;
  const std::chrono::milliseconds last_;
  Rng rng_;
  std::chrono::milliseconds longest_;  // of the next wait
};

}  // namespace berth
