#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include "base/rng.h"

namespace berth {

// Draws of our own, since what the standard library's distributions draw differs between
// compilers: the same seed gives the same simulation everywhere.

// 0 .. below - 1. REQUIRES: below > 0.
inline uint64_t DrawBelow(Rng& rng, uint64_t below) {
  const uint64_t uneven = -below % below;  // how many draws of 2^64 would favour the low numbers
  uint64_t draw = rng();
  while (draw < uneven) draw = rng();
  return draw % below;
}

// Uniform in (0, 1].
inline double DrawUnit(Rng& rng) { return (static_cast<double>(rng() >> 11) + 1) * 0x1.0p-53; }

// Of mean 0 and standard deviation 1. Method: Box and Muller.
inline double DrawNormal(Rng& rng) {
  const double radius = std::sqrt(-2 * std::log(DrawUnit(rng)));
  return radius * std::cos(2 * std::numbers::pi * DrawUnit(rng));
}

template <class T>
void Shuffle(std::vector<T>& items, Rng& rng) {
  for (size_t left = items.size(); left > 1; --left) {
    std::swap(items[left - 1], items[DrawBelow(rng, left)]);
  }
}

}  // namespace berth
