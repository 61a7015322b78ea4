#pragma once

#include <vector>

namespace berth {

struct MeanAndError {
  double mean = 0;
  double standard_error = 0;  // 0 for a single number
};

// REQUIRES: there are numbers.
MeanAndError MeanOf(const std::vector<double>& numbers);

}  // namespace berth
