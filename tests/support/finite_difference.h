#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace berth {

// The derivatives of a function at a point by trying: central differences.
inline std::vector<double> Derivatives(
    const std::function<double(const std::vector<double>&)>& function, std::vector<double> at,
    double step = 1e-6) {
  std::vector<double> derivatives;
  for (double& x : at) {
    const double kept = x;
    x = kept + step;
    const double above = function(at);
    x = kept - step;
    const double below = function(at);
    x = kept;
    derivatives.push_back((above - below) / (2 * step));
  }
  return derivatives;
}

}  // namespace berth
