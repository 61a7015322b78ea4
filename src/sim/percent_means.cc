#include "sim/percent_means.h"

#include <cmath>

namespace berth {

void PercentMeans::Add(MilliGpu arrived, double value) {
  const double percent = PercentOf(static_cast<double>(arrived.value()));
  const double point = std::nearbyint(percent);  // halves to even
  if (point >= kPoints) return;
  const auto at = static_cast<size_t>(point);
  sums_[at] += value;
  ++arrivals_[at];
}

std::optional<double> PercentMeans::At(size_t percent) const {
  if (arrivals_[percent] == 0) return std::nullopt;
  return sums_[percent] / static_cast<double>(arrivals_[percent]);
}

}  // namespace berth
