#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/choice_features.h"

namespace berth {

// A choice among nodes, as it is learned from. Nodes with equal scores are one candidate: it makes
// no difference which of them is taken, so how many there are should make none either.
struct NodeChoice {
  PodKind kind = PodKind::kNoGpu;
  MixNumbers mix{};
  uint32_t step = 0;                     // the arrival that it was made at
  uint32_t chosen = 0;                   // the candidate
  std::vector<float> scores;             // of the candidates, by the policy at the time
  std::vector<ChoiceFeatures> features;  // of those

  // By a policy whose weights have moved since, with the softmax at that temperature.
  std::vector<double> LogProbabilities(const ChoiceWeights& moved, double temperature) const;

  // Adds the derivatives by the weights, where those by the logits are known.
  void AddWeightGradient(std::span<const double> per_logit, double temperature,
                         ChoiceWeights& gradient) const;
};

}  // namespace berth
