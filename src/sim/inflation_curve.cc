#include "sim/inflation_curve.h"

#include <cmath>

namespace berth {

void InflationCurve::Add(MilliGpu arrived, MilliGpu allocated) {
  const auto percent = [&](MilliGpu gpu) {
    return 100 * static_cast<double>(gpu.value()) / static_cast<double>(gpu_capacity_.value());
  };
  const double point = std::nearbyint(percent(arrived));  // halves to even
  if (point >= kPoints) return;
  const auto at = static_cast<size_t>(point);
  sums_[at] += std::nearbyint(100 * percent(allocated)) / 100;
  ++arrivals_[at];
}

std::optional<double> InflationCurve::At(size_t percent) const {
  if (arrivals_[percent] == 0) return std::nullopt;
  return sums_[percent] / static_cast<double>(arrivals_[percent]);
}

}  // namespace berth
