#pragma once

#include <random>

namespace berth {

// The one kind of random numbers in Berth. Always passed in, with a seed that is logged.
using Rng = std::mt19937_64;

}  // namespace berth
