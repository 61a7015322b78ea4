#include "ppo/masked_softmax.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "sim/draw.h"

namespace berth {

double GroupLogit(double logit, size_t count) {
  return logit + std::log(static_cast<double>(count));
}

bool LogSoftmax(std::span<const double> logits, std::span<double> log_probabilities) {
  const double most = logits.empty() ? kMasked : std::ranges::max(logits);
  if (most == kMasked) return false;
  double sum = 0;
  for (const double logit : logits) sum += std::exp(logit - most);
  const double log_sum = most + std::log(sum);
  std::ranges::transform(logits, log_probabilities.begin(),
                         [log_sum](double logit) { return logit - log_sum; });
  return true;
}

double Entropy(std::span<const double> log_probabilities) {
  double entropy = 0;
  for (const double log_p : log_probabilities) {
    if (log_p != kMasked) entropy -= std::exp(log_p) * log_p;
  }
  return entropy;
}

// dH / dlogit_i = -p_i (log p_i + H).
void AddEntropyGradient(std::span<const double> log_probabilities, double times,
                        std::span<double> gradient) {
  const double entropy = Entropy(log_probabilities);
  for (size_t i = 0; i < gradient.size(); ++i) {
    const double log_p = log_probabilities[i];
    if (log_p != kMasked) gradient[i] -= times * std::exp(log_p) * (log_p + entropy);
  }
}

// dlog p_chosen / dlogit_i = (1 where i is chosen) - p_i.
void AddLogProbabilityGradient(std::span<const double> log_probabilities, size_t chosen,
                               double times, std::span<double> gradient) {
  for (size_t i = 0; i < gradient.size(); ++i) {
    gradient[i] -= times * std::exp(log_probabilities[i]);
  }
  gradient[chosen] += times;
}

size_t DrawCandidate(std::span<const double> log_probabilities, Rng& rng) {
  double left = DrawUnit(rng);
  size_t possible = log_probabilities.size();
  for (size_t i = 0; i < log_probabilities.size(); ++i) {
    if (log_probabilities[i] == kMasked) continue;
    possible = i;
    left -= std::exp(log_probabilities[i]);
    if (left <= 0) return i;
  }
  BERTH_CHECK(possible < log_probabilities.size(), "there is something to choose from");
  return possible;  // what rounding left over belongs to the last one
}

size_t Likeliest(std::span<const double> log_probabilities) {
  const auto best = std::ranges::max_element(log_probabilities);
  BERTH_CHECK(best != log_probabilities.end() && *best != kMasked,
              "there is something to choose from");
  return best - log_probabilities.begin();
}

}  // namespace berth
