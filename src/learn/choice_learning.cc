#include "learn/choice_learning.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "ppo/imitation_loss.h"
#include "ppo/masked_softmax.h"
#include "ppo/ppo_loss.h"
#include "sim/draw.h"

namespace berth {
namespace {

// The derivatives of the loss of one lesson by its logits; what there is to watch is summed up.
std::vector<double> LogitGradient(const ChoiceLesson& lesson,
                                  std::span<const double> log_probabilities,
                                  const ChoiceLearningSettings& settings,
                                  ChoiceLearningReport& sums) {
  const size_t chosen = lesson.choice->chosen;
  std::vector<double> gradient(log_probabilities.size());
  if (settings.loss == ChoiceLoss::kImitation) {
    sums.loss += ImitationLoss(log_probabilities, chosen, 1, gradient);
  } else {
    const PolicyLoss loss = PolicyLossOf(log_probabilities[chosen], lesson.log_probability,
                                         lesson.advantage, settings.clip);
    AddLogProbabilityGradient(log_probabilities, chosen, loss.per_log_probability, gradient);
    sums.loss += loss.loss;
    sums.clip_fraction += loss.clipped ? 1 : 0;
    sums.divergence += loss.divergence;
  }
  AddEntropyGradient(log_probabilities, -settings.entropy_weight, gradient);
  sums.entropy += Entropy(log_probabilities);
  sums.agreement += Likeliest(log_probabilities) == chosen ? 1 : 0;
  return gradient;
}

void ScaleReport(double times, ChoiceLearningReport& report) {
  for (double* const value : {&report.loss, &report.entropy, &report.clip_fraction,
                              &report.divergence, &report.agreement}) {
    *value *= times;
  }
}

}  // namespace

void AddChoiceLoss(std::span<const ChoiceLesson> lessons, std::span<const WeightBlock> blocks,
                   const ChoiceLearningSettings& settings, std::span<const double> moved,
                   std::span<double> gradient, ChoiceLearningReport& sums) {
  struct OfMix {
    ChoiceWeights moved, gradient{};
  };
  std::map<MixNumbers, OfMix> of_mixes;
  for (const ChoiceLesson& lesson : lessons) {
    const NodeChoice& choice = *lesson.choice;
    const auto [found, is_new] = of_mixes.try_emplace(choice.mix);
    OfMix& mix = found->second;
    if (is_new) mix.moved = WeightsMovedBy(moved, blocks, choice.mix);
    const auto log_probabilities = choice.LogProbabilities(mix.moved, settings.temperature);
    std::vector<double> per_logit = LogitGradient(lesson, log_probabilities, settings, sums);
    for (double& of_logit : per_logit) of_logit /= static_cast<double>(lessons.size());
    choice.AddWeightGradient(per_logit, settings.temperature, mix.gradient);
  }
  for (const auto& [numbers, mix] : of_mixes) {
    AddParameterGradient(mix.gradient, blocks, numbers, gradient);
  }
}

Result<ChoiceLearningReport> LearnFromChoices(std::span<const ChoiceLesson> lessons,
                                              std::span<const WeightBlock> blocks,
                                              const ChoiceLearningSettings& settings, double rate,
                                              std::span<double> parameters, Adam<double>& adam,
                                              Rng& rng) {
  std::vector<ChoiceLesson> shuffled(lessons.begin(), lessons.end());
  std::vector<double> moved(parameters.size());
  ChoiceLearningReport report;
  for (size_t epoch = 0; epoch < settings.epochs && !lessons.empty(); ++epoch) {
    Shuffle(shuffled, rng);
    report = {};
    for (size_t begin = 0; begin < shuffled.size(); begin += settings.minibatch) {
      const size_t size = std::min(settings.minibatch, shuffled.size() - begin);
      std::vector<double> gradient(parameters.size());
      AddChoiceLoss(std::span(shuffled).subspan(begin, size), blocks, settings, moved, gradient,
                    report);
      if (!std::isfinite(ClipLength<double>(settings.longest_gradient, gradient))) {
        return absl::InternalError("the gradient of the weights is not finite");
      }
      adam.Step(gradient, rate, moved);
    }
    ScaleReport(1 / static_cast<double>(shuffled.size()), report);
    if (report.divergence > settings.most_divergence) break;
  }
  for (size_t i = 0; i < moved.size(); ++i) parameters[i] += moved[i];
  return report;
}

}  // namespace berth
