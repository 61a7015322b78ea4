#include "ppo/imitation_loss.h"

#include "ppo/masked_softmax.h"

namespace berth {

double ImitationLoss(std::span<const double> log_probabilities, size_t chosen, double times,
                     std::span<double> gradient) {
  AddLogProbabilityGradient(log_probabilities, chosen, -times, gradient);
  return -log_probabilities[chosen];
}

}  // namespace berth
