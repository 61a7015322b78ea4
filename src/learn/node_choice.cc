#include "learn/node_choice.h"

#include <numeric>

#include "base/check.h"
#include "ppo/masked_softmax.h"

namespace berth {

std::vector<double> NodeChoice::LogProbabilities(const ChoiceWeights& moved,
                                                 double temperature) const {
  const auto& weights = moved[static_cast<size_t>(kind)];
  std::vector<double> logits;
  logits.reserve(scores.size());
  for (size_t i = 0; i < scores.size(); ++i) {
    const double move =
        std::inner_product(weights.begin(), weights.end(), features[i].begin(), 0.0);
    logits.push_back((scores[i] + move) / temperature);
  }
  const bool any = LogSoftmax(logits, logits);
  BERTH_CHECK(any, "there is a candidate");
  return logits;
}

void NodeChoice::AddWeightGradient(std::span<const double> per_logit, double temperature,
                                   ChoiceWeights& gradient) const {
  auto& of_kind = gradient[static_cast<size_t>(kind)];
  for (size_t i = 0; i < features.size(); ++i) {
    const double times = per_logit[i] / temperature;
    for (size_t f = 0; f < kChoiceFeatures; ++f) of_kind[f] += times * features[i][f];
  }
}

}  // namespace berth
