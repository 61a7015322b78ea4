#include "ppo/ppo_loss.h"

#include <algorithm>
#include <cmath>

namespace berth {

PolicyLoss PolicyLossOf(double log_probability, double old_log_probability, double advantage,
                        double clip) {
  const double log_ratio = log_probability - old_log_probability;
  const double ratio = std::exp(log_ratio);
  const double free = ratio * advantage;
  const double held = std::clamp(ratio, 1 - clip, 1 + clip) * advantage;
  return {.loss = -std::min(free, held),
          .per_log_probability = free <= held ? -free : 0,
          .clipped = std::abs(ratio - 1) > clip,
          .divergence = ratio - 1 - log_ratio};
}

ValueLoss ValueLossOf(double value, double came) {
  const double off = value - came;
  return {.loss = off * off, .per_value = 2 * off};
}

}  // namespace berth
