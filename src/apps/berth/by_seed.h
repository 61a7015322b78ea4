#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "apps/berth/mean_and_error.h"

namespace berth {

// A number of each of several runs that differ by nothing but their seed.
using BySeed = std::map<uint64_t, double>;

// `number_of` gives a number, or an optional one: runs without it are left out.
template <class Run, class NumberOf>
BySeed NumbersBySeed(std::span<const Run> runs, NumberOf number_of) {
  BySeed numbers;
  for (const Run& run : runs) {
    const std::optional<double> number = number_of(run);
    if (number) numbers[run.seed] = *number;
  }
  return numbers;
}

// How much more the ones are than the others, of the seeds that both have.
BySeed Differences(const BySeed& ones, const BySeed& others);

// REQUIRES: there are numbers.
MeanAndError MeanOf(const BySeed& numbers);

}  // namespace berth
