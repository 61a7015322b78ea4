#pragma once

#include <cstddef>
#include <optional>

#include "berth/units.h"
#include "sim/percent_means.h"

namespace berth {

// Allocated GPU against arrived demand, in percent of all GPUs, as the FGD paper's simulator
// reports it: what is allocated is rounded to hundredths before it goes into the means.
class InflationCurve {
 public:
  static constexpr size_t kPoints = PercentMeans::kPoints;

  // REQUIRES: gpu_capacity > 0.
  explicit InflationCurve(MilliGpu gpu_capacity) : means_(gpu_capacity) {}

  // After one more arrival.
  void Add(MilliGpu arrived, MilliGpu allocated);

  // As of PercentMeans.
  std::optional<double> At(size_t percent) const { return means_.At(percent); }

 private:
  PercentMeans means_;
};

}  // namespace berth
