#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <string>

namespace berth {

// The least and the most that something was.
struct NumberRange {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();

  void Include(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }

  bool operator==(const NumberRange&) const = default;
};

// What columns (berth/features.h) held, by their names.
using FeatureRanges = std::map<std::string, NumberRange>;

}  // namespace berth
