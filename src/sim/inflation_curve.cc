#include "sim/inflation_curve.h"

#include <cmath>

namespace berth {

void InflationCurve::Add(MilliGpu arrived, MilliGpu allocated) {
  const double percent = means_.PercentOf(static_cast<double>(allocated.value()));
  means_.Add(arrived, std::nearbyint(100 * percent) / 100);
}

}  // namespace berth
