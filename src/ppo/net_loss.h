#pragma once

#include <span>
#include <vector>

#include "ppo/net_steps.h"

namespace berth {

struct NetLossSettings {
  double clip = 0.2;
  double value_weight = 0.5;
  double entropy_weight = 0;
};

// Sums over steps; the loss that a net goes down is
//   (policy + value_weight * value - entropy_weight * entropy) / steps.
struct NetLosses {
  double policy = 0, value = 0, entropy = 0;
  double clipped = 0;     // how many steps
  double divergence = 0;  // from the policy that made the steps
};

struct NetLossGradient {
  std::vector<float> per_logit, per_value;
};

// The derivatives of the loss of these steps, where the net's outputs are the logits and values.
// What the steps lose is added to the losses. Advantages are taken as they are.
NetLossGradient AddNetLoss(const NetSteps& steps, std::span<const float> logits,
                           std::span<const float> values, const NetLossSettings& settings,
                           NetLosses& losses);

}  // namespace berth
