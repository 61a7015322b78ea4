#include "apps/berth/by_seed.h"

#include <vector>

namespace berth {

BySeed Differences(const BySeed& ones, const BySeed& others) {
  BySeed differences;
  for (const auto& [seed, number] : ones) {
    const auto paired = others.find(seed);
    if (paired != others.end()) differences[seed] = number - paired->second;
  }
  return differences;
}

MeanAndError MeanOf(const BySeed& numbers) {
  std::vector<double> values;
  for (const auto& [seed, number] : numbers) values.push_back(number);
  return MeanOf(values);
}

}  // namespace berth
