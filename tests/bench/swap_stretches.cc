#include "bench/swap_stretches.h"

#include <algorithm>

namespace berth {

StretchTimes TimesWithin(std::span<const Stretch> stretches, std::span<const LoadAnswer> answers) {
  std::vector<double> took;
  for (const LoadAnswer& answer : answers) {
    const bool within = std::ranges::any_of(stretches, [&](const Stretch& stretch) {
      return answer.due >= stretch.begin && answer.due < stretch.end;
    });
    if (within) took.push_back(answer.took);
  }
  if (took.empty()) return {};
  std::ranges::sort(took);
  const auto at = [&](double share) {
    return 1000 * took[static_cast<size_t>(share * static_cast<double>(took.size() - 1))];
  };
  return {took.size(), at(0.5), at(0.99), at(1)};
}

}  // namespace berth
