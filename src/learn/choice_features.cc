#include "learn/choice_features.h"

#include "base/check.h"

namespace berth {
namespace {

float InScale(float value, double scale) {
  return scale > 0 ? static_cast<float>(value / scale) : 0;
}

double NumberOf(const WeightBlock& block, const MixNumbers& mix) {
  return block.number ? mix[static_cast<size_t>(*block.number)] : 1;
}

// Calls `visit` for every parameter with its position, the weight it moves, and how far.
template <class Weights, class Visit>
void ForEachParameter(std::span<const WeightBlock> blocks, const MixNumbers& mix, Weights& weights,
                      Visit visit) {
  size_t position = 0;
  for (const WeightBlock& block : blocks) {
    for (auto& of_kind : weights) {
      for (auto& weight : of_kind) visit(position++, weight, NumberOf(block, mix));
    }
  }
}

}  // namespace

ChoiceFeatures ChoiceFeaturesOf(const StateFeatures& before, const StateFeatures& after,
                                const FeatureScales& scales) {
  ChoiceFeatures features;
  for (size_t i = 0; i < kStateFeatures; ++i) {
    features[2 * i] = InScale(after[i] - before[i], scales.change[i]);
    features[2 * i + 1] = InScale(after[i], scales.after[i]);
  }
  return features;
}

ChoiceWeights WeightsMovedBy(std::span<const double> parameters,
                             std::span<const WeightBlock> blocks, const MixNumbers& mix) {
  BERTH_CHECK(parameters.size() == blocks.size() * kBlockParameters, "one parameter per weight");
  ChoiceWeights weights{};
  ForEachParameter(blocks, mix, weights, [&](size_t position, double& weight, double number) {
    weight += number * parameters[position];
  });
  return weights;
}

void AddParameterGradient(const ChoiceWeights& per_weight, std::span<const WeightBlock> blocks,
                          const MixNumbers& mix, std::span<double> gradient) {
  ForEachParameter(blocks, mix, per_weight, [&](size_t position, double of_weight, double number) {
    gradient[position] += number * of_weight;
  });
}

}  // namespace berth
