#include "policy/learned_policy.h"

#include "base/check.h"
#include "cluster/state_tables.h"
#include "policy/fgd_bestfit.h"

namespace berth {
namespace {

void AddScaled(const PlacementWeights& more, double times, PlacementWeights& sum) {
  for (size_t kind = 0; kind < kPodKinds; ++kind) {
    for (size_t i = 0; i < kStateFeatures; ++i) {
      sum[kind].before[i] += times * more[kind].before[i];
      sum[kind].after[i] += times * more[kind].after[i];
    }
  }
}

// The weight of a column called NAME_before or NAME_after.
double& WeightOf(std::string_view column, StateWeights& weights) {
  const std::span<const FeatureColumn> table = StateFeatureTable();
  for (size_t i = 0; i < table.size(); ++i) {
    if (!column.starts_with(table[i].name)) continue;
    const std::string_view rest = column.substr(table[i].name.size());
    if (rest == "_before") return weights.before[i];
    if (rest == "_after") return weights.after[i];
  }
  BERTH_CHECK(false, "the column is a state feature before or after");
  return weights.before[0];
}

}  // namespace

PlacementWeights LearnedPolicy::WeightsFor(const WorkloadProfile& profile) const {
  const RegimeWeights& regime = profile.pods_leave() ? living : packing;
  const MixNumbers& numbers = profile.state_tables()->numbers;
  PlacementWeights weights = regime.common;
  for (size_t i = 0; i < kMixNumbers; ++i) AddScaled(regime.of_number[i], numbers[i], weights);
  return weights;
}

LearnedPolicy FgdBestFitAsLearned(std::string name) {
  StateWeights weights;
  for (const auto& [column, weight] : FgdBestFit().terms) WeightOf(column, weights) = weight;
  LearnedPolicy policy{.name = std::move(name)};
  policy.packing.common.fill(weights);
  policy.living.common.fill(weights);
  return policy;
}

}  // namespace berth
