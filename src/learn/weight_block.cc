#include "learn/weight_block.h"

#include "base/check.h"

namespace berth {
namespace {

// `policy` is a LearnedPolicy, const or not.
template <class Policy>
auto& WeightsOf(Regime regime, Policy& policy) {
  return regime == Regime::kLiving ? policy.living : policy.packing;
}

PlacementWeights& WeightsOf(const WeightBlock& block, LearnedPolicy& policy) {
  LearnedPolicy::RegimeWeights& regime = WeightsOf(block.regime, policy);
  return block.number ? regime.of_number[static_cast<size_t>(*block.number)] : regime.common;
}

// A feature that never varies gets no weight.
double PerScale(double parameter, double scale) { return scale > 0 ? parameter / scale : 0; }

void Add(std::span<const double> parameters, const FeatureScales& scales, StateWeights& weights) {
  for (size_t i = 0; i < kStateFeatures; ++i) {
    const double change = PerScale(parameters[2 * i], scales.change[i]);
    weights.before[i] -= change;
    weights.after[i] += change + PerScale(parameters[2 * i + 1], scales.after[i]);
  }
}

}  // namespace

LearnedPolicy Moved(const LearnedPolicy& policy, std::span<const WeightBlock> blocks,
                    const FeatureScales& scales, std::span<const double> parameters) {
  BERTH_CHECK(parameters.size() == blocks.size() * kBlockParameters, "one parameter per weight");
  LearnedPolicy moved = policy;
  constexpr size_t kOfKind = 2 * kStateFeatures;
  for (size_t b = 0; b < blocks.size(); ++b) {
    PlacementWeights& weights = WeightsOf(blocks[b], moved);
    for (size_t kind = 0; kind < kPodKinds; ++kind) {
      Add(parameters.subspan((b * kPodKinds + kind) * kOfKind, kOfKind), scales, weights[kind]);
    }
  }
  return moved;
}

LearnedPolicy Shrunk(const LearnedPolicy& policy, const LearnedPolicy& start, Regime regime,
                     double share) {
  LearnedPolicy from = policy;  // the other regime stays, since nothing differs there
  WeightsOf(regime, from) = WeightsOf(regime, start);
  std::vector<double> at_start;
  ForEachWeight(from, [&](double weight) { at_start.push_back(weight); });
  LearnedPolicy shrunk = policy;
  auto begin = at_start.begin();
  ForEachWeight(shrunk, [&](double& weight) {
    weight = *begin + share * (weight - *begin);
    ++begin;
  });
  return shrunk;
}

}  // namespace berth
