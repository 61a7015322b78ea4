#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "berth/units.h"

namespace berth {

// Allocated GPU against arrived demand, in percent of all GPUs, as the FGD paper's simulator
// reports it: after each arrival the demand so far is rounded to a whole percent (halves to even),
// and each percent shows the mean of what was allocated, itself rounded to hundredths.
class InflationCurve {
 public:
  static constexpr size_t kPoints = 131;  // 0 to 130 %

  // REQUIRES: gpu_capacity > 0.
  explicit InflationCurve(MilliGpu gpu_capacity) : gpu_capacity_(gpu_capacity) {}

  // After one more arrival.
  void Add(MilliGpu arrived, MilliGpu allocated);

  // Nothing where no arrival rounded to that percent, as an arrival may ask for several percent of
  // a small cluster.
  std::optional<double> At(size_t percent) const;

 private:
  MilliGpu gpu_capacity_;
  std::array<double, kPoints> sums_{};
  std::array<int64_t, kPoints> arrivals_{};
};

}  // namespace berth
