#include "apps/berth/mean_and_error.h"

#include <cmath>
#include <numeric>

namespace berth {

MeanAndError MeanOf(const std::vector<double>& numbers) {
  const auto count = static_cast<double>(numbers.size());
  const double mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) / count;
  double squares = 0;
  for (const double number : numbers) squares += (number - mean) * (number - mean);
  return {mean, count > 1 ? std::sqrt(squares / (count - 1) / count) : 0};
}

}  // namespace berth
