#include "ppo/net_steps.h"

#include <algorithm>

#include "base/check.h"
#include "ppo/masked_softmax.h"

namespace berth {

NetSteps::NetSteps(size_t count, size_t numbers_each, size_t actions_each)
    : numbers_each(numbers_each),
      actions_each(actions_each),
      numbers(count * numbers_each),
      possible(count * actions_each),
      actions(count),
      log_probabilities(count),
      values(count),
      advantages(count),
      returns(count) {}

std::span<float> NetSteps::NumbersOf(size_t step) {
  return std::span(numbers).subspan(step * numbers_each, numbers_each);
}

std::span<const float> NetSteps::NumbersOf(size_t step) const {
  return std::span(numbers).subspan(step * numbers_each, numbers_each);
}

std::span<uint8_t> NetSteps::PossibleIn(size_t step) {
  return std::span(possible).subspan(step * actions_each, actions_each);
}

std::span<const uint8_t> NetSteps::PossibleIn(size_t step) const {
  return std::span(possible).subspan(step * actions_each, actions_each);
}

NetSteps NetSteps::Chosen(std::span<const size_t> steps) const {
  NetSteps chosen(steps.size(), numbers_each, actions_each);
  for (size_t i = 0; i < steps.size(); ++i) {
    const size_t step = steps[i];
    std::ranges::copy(NumbersOf(step), chosen.NumbersOf(i).begin());
    std::ranges::copy(PossibleIn(step), chosen.PossibleIn(i).begin());
    chosen.actions[i] = actions[step];
    chosen.log_probabilities[i] = log_probabilities[step];
    chosen.values[i] = values[step];
    chosen.advantages[i] = advantages[step];
    chosen.returns[i] = returns[step];
  }
  return chosen;
}

std::vector<double> MaskedLogSoftmax(std::span<const float> logits,
                                     std::span<const uint8_t> possible) {
  std::vector<double> log_probabilities(logits.begin(), logits.end());
  for (size_t i = 0; i < logits.size(); ++i) {
    if (possible[i] == 0) log_probabilities[i] = kMasked;
  }
  const bool any = LogSoftmax(log_probabilities, log_probabilities);
  BERTH_CHECK(any, "there is an action that may be chosen");
  return log_probabilities;
}

}  // namespace berth
