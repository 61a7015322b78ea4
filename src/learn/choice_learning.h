#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/rng.h"
#include "berth/result.h"
#include "learn/node_choice.h"
#include "ppo/adam.h"

namespace berth {

// What is to be learned from one choice.
struct ChoiceLesson {
  const NodeChoice* choice = nullptr;
  double log_probability = 0;  // PPO: of the choice, by the policy that made it
  double advantage = 0;        // PPO: how much better it was than expected
};

enum class ChoiceLoss {
  kPpo,        // the clipped surrogate (learn/ppo_loss.h) and the entropy
  kImitation,  // the cross-entropy of the choice (learn/imitation_loss.h)
};

struct ChoiceLearningSettings {
  ChoiceLoss loss = ChoiceLoss::kPpo;
  double temperature = 0.01;
  size_t epochs = 4;
  size_t minibatch = 512;
  double clip = 0.2;
  double entropy_weight = 0;
  double longest_gradient = 0.5;
  double most_divergence = 0.02;  // PPO: from the policy that chose; then learning ends
};

// Means over the last time that the lessons were gone through.
struct ChoiceLearningReport {
  double loss = 0, entropy = 0;
  double clip_fraction = 0, divergence = 0;  // PPO
  double agreement = 0;                      // how often the choice is the likeliest candidate
};

// Moves the parameters of blocks so that good choices, or an expert's, become likelier. The scores
// of the choices are those at the parameters as they are handed in. `rng` shuffles the lessons.
// Errors: INTERNAL that names what is not finite; the parameters are then partly moved.
Result<ChoiceLearningReport> LearnFromChoices(std::span<const ChoiceLesson> lessons,
                                              std::span<const WeightBlock> blocks,
                                              const ChoiceLearningSettings& settings, double rate,
                                              std::span<double> parameters, Adam<double>& adam,
                                              Rng& rng);

// Adds the derivatives by the parameters of the mean loss of the lessons, where `moved` is how far
// the parameters have moved since the choices; and to `sums` what there is to report, summed over
// lessons.
void AddChoiceLoss(std::span<const ChoiceLesson> lessons, std::span<const WeightBlock> blocks,
                   const ChoiceLearningSettings& settings, std::span<const double> moved,
                   std::span<double> gradient, ChoiceLearningReport& sums);

}  // namespace berth
