#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "cluster/mix_numbers.h"
#include "cluster/state_features.h"
#include "learn/weight_block.h"
#include "policy/pod_kind.h"

namespace berth {

// What a score of a learned policy is linear in: of every state feature how the placement changes
// it and what it is after that, in units of their scales, in the order of a block's parameters.
inline constexpr size_t kChoiceFeatures = 2 * kStateFeatures;
using ChoiceFeatures = std::array<float, kChoiceFeatures>;

ChoiceFeatures ChoiceFeaturesOf(const StateFeatures& before, const StateFeatures& after,
                                const FeatureScales& scales);

// How moved parameters of blocks move the scores of one mix: for each kind of pod, a weight for
// each feature. And back: the derivatives by the parameters, where those by the weights are known;
// they are added.
using ChoiceWeights = std::array<std::array<double, kChoiceFeatures>, kPodKinds>;
ChoiceWeights WeightsMovedBy(std::span<const double> parameters,
                             std::span<const WeightBlock> blocks, const MixNumbers& mix);
void AddParameterGradient(const ChoiceWeights& per_weight, std::span<const WeightBlock> blocks,
                          const MixNumbers& mix, std::span<double> gradient);

}  // namespace berth
