#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/rng.h"

namespace berth {

// Uniform draws of our own, since what the standard library's distributions draw differs between
// compilers: the same seed gives the same simulation everywhere.

// 0 .. below - 1. REQUIRES: below > 0.
inline uint64_t DrawBelow(Rng& rng, uint64_t below) {
  const uint64_t uneven = -below % below;  // how many draws of 2^64 would favour the low numbers
  uint64_t draw = rng();
  while (draw < uneven) draw = rng();
  return draw % below;
}

template <class T>
void Shuffle(std::vector<T>& items, Rng& rng) {
  for (size_t left = items.size(); left > 1; --left) {
    std::swap(items[left - 1], items[DrawBelow(rng, left)]);
  }
}

}  // namespace berth
