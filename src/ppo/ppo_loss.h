#pragma once

namespace berth {

// The parts of PPO's loss for one decision, each with its derivative. The entropy that is added to
// them is in learn/masked_softmax.h.
//
// Source: Schulman et al., "Proximal Policy Optimization Algorithms", 2017, equations 7 and 9.

// What a decision is to be made likelier or less likely by.
struct PolicyLoss {
  double loss = 0;                 // -min(r A, clip(r) A), where r is how much likelier it became
  double per_log_probability = 0;  // derivative by the new log-probability
  bool clipped = false;            // whether r is further from 1 than `clip`
  double divergence = 0;           // r - 1 - log r; its mean estimates KL(old, new)
};

// The estimate of the divergence is that of Schulman, "Approximating KL Divergence", 2020. Of a
// huge advantage or ratio the derivative may not be finite: who adds it up must look.
PolicyLoss PolicyLossOf(double log_probability, double old_log_probability, double advantage,
                        double clip);

// (value - what came)^2.
struct ValueLoss {
  double loss = 0;
  double per_value = 0;
};
ValueLoss ValueLossOf(double value, double came);

}  // namespace berth
