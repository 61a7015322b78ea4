#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "learn/regime.h"
#include "policy/learned_policy.h"

namespace berth {

// A part of a learned policy that is trained by itself.
struct WeightBlock {
  Regime regime = Regime::kPacking;
  std::optional<MixNumber> number;  // what that number adds; none: what all mixes have in common

  bool operator==(const WeightBlock&) const = default;
};

// How much the state features vary: standard deviations of a feature after a placement, and of what
// the placement changes. A parameter of 1 moves a score by about as much as one of fragmentation.
struct FeatureScales {
  std::array<double, kStateFeatures> after{};
  std::array<double, kStateFeatures> change{};
};

// Per block: one for each kind of pod, feature, and its change or its value after the placement.
inline constexpr size_t kBlockParameters = kPodKinds * kStateFeatures * 2;

// The policy with parameters added to its blocks, block after block. Parameters of 0 change
// nothing. REQUIRES: parameters.size() == blocks.size() * kBlockParameters.
LearnedPolicy Moved(const LearnedPolicy& policy, std::span<const WeightBlock> blocks,
                    const FeatureScales& scales, std::span<const double> parameters);

// The policy with the weights of one regime so far on the way from those of `start` (0) to its own
// (1).
LearnedPolicy Shrunk(const LearnedPolicy& policy, const LearnedPolicy& start, Regime regime,
                     double share);

}  // namespace berth
