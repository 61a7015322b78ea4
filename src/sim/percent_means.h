#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "berth/units.h"

namespace berth {

// Means by arrived demand in percent of all GPUs, as the FGD paper's simulator reports whatever it
// looks at after each arrival: the demand so far is rounded to a whole percent (halves to even),
// and each percent shows the mean over the arrivals that came to it.
class PercentMeans {
 public:
  static constexpr size_t kPoints = 131;  // 0 to 130 %

  // REQUIRES: gpu_capacity > 0.
  explicit PercentMeans(MilliGpu gpu_capacity) : gpu_capacity_(gpu_capacity) {}

  // The value after one more arrival.
  void Add(MilliGpu arrived, double value);

  // Nothing where no arrival rounded to that percent, as an arrival may ask for several percent of
  // a small cluster.
  std::optional<double> At(size_t percent) const;

  // In percent of the capacity.
  double PercentOf(double milli_gpu) const {
    return 100 * milli_gpu / static_cast<double>(gpu_capacity_.value());
  }

 private:
  MilliGpu gpu_capacity_;
  std::array<double, kPoints> sums_{};
  std::array<int64_t, kPoints> arrivals_{};
};

}  // namespace berth
