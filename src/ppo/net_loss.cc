#include "ppo/net_loss.h"

#include <algorithm>

#include "ppo/masked_softmax.h"
#include "ppo/ppo_loss.h"

namespace berth {

NetLossGradient AddNetLoss(const NetSteps& steps, std::span<const float> logits,
                           std::span<const float> values, const NetLossSettings& settings,
                           NetLosses& losses) {
  const double weight = 1 / static_cast<double>(steps.size());
  NetLossGradient gradient{std::vector<float>(logits.size()), std::vector<float>(values.size())};
  std::vector<double> per_logit(steps.actions_each);
  for (size_t i = 0; i < steps.size(); ++i) {
    const size_t begin = i * steps.actions_each;
    const std::vector<double> log_probabilities =
        MaskedLogSoftmax(logits.subspan(begin, steps.actions_each), steps.PossibleIn(i));
    const double log_probability = log_probabilities[steps.actions[i]];
    const PolicyLoss policy = PolicyLossOf(log_probability, steps.log_probabilities[i],
                                           steps.advantages[i], settings.clip);
    const ValueLoss value = ValueLossOf(values[i], steps.returns[i]);
    std::ranges::fill(per_logit, 0);
    AddLogProbabilityGradient(log_probabilities, steps.actions[i],
                              weight * policy.per_log_probability, per_logit);
    AddEntropyGradient(log_probabilities, -weight * settings.entropy_weight, per_logit);
    std::ranges::copy(per_logit, gradient.per_logit.begin() + static_cast<ptrdiff_t>(begin));
    gradient.per_value[i] = static_cast<float>(weight * settings.value_weight * value.per_value);
    losses.policy += policy.loss;
    losses.value += value.loss;
    losses.entropy += Entropy(log_probabilities);
    losses.clipped += policy.clipped ? 1 : 0;
    losses.divergence += policy.divergence;
  }
  return gradient;
}

}  // namespace berth
