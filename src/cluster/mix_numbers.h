#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "berth/feature_column.h"
#include "berth/workload_profile.h"

namespace berth {

// What tells one mix of work from another, each from -1 to 1: 0 in openb's default mix, and 1 (or
// -1) about where the openb mixes end. Beyond that a number stays where it is.
enum class MixNumber { kConstrained, kShares, kSeveralGpus, kCpuPressure };
inline constexpr size_t kMixNumbers = 4;
using MixNumbers = std::array<float, kMixNumbers>;  // as a policy file reads them

// In the order of MixNumber.
std::span<const FeatureColumn> MixNumberTable();

// All 0 for an empty profile; the CPU pressure is 0 as long as the fleet is not known.
MixNumbers NumbersOf(const WorkloadProfile& profile);

}  // namespace berth
