#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/rng.h"
#include "berth/result.h"
#include "ppo/actor_critic.h"
#include "ppo/adam.h"
#include "ppo/advantages.h"
#include "ppo/environment.h"
#include "ppo/net_loss.h"
#include "ppo/net_rollout.h"
#include "ppo/net_steps.h"

namespace berth {

// The defaults are those that PPO is commonly run with on small tasks.
struct PpoSettings {
  size_t updates = 0;  // of the whole training, over which the rate goes down to 0
  size_t steps = 256;  // in each environment, per update
  size_t epochs = 10;  // how often an update goes through its steps
  size_t minibatch = 64;
  double rate = 3e-4;
  NetLossSettings loss;
  double longest_gradient = 0.5;
  double most_divergence = 0.05;  // from the policy before the update; then the update ends
  size_t hidden = 64;             // units in each layer
  Discounts discounts;
};

struct PpoReport {
  size_t updates = 0, steps = 0;  // so far; the steps of all environments
  size_t episodes = 0;            // that ended during this update
  double mean_return = 0;         // of those; 0 without one
  double explained_variance = 0;  // of what came, by the critic as it was
  // Means over the last time that the update went through its steps.
  double policy_loss = 0, value_loss = 0, entropy = 0, clip_fraction = 0, divergence = 0;
};

// Learns to act in an environment, with a small net. Deterministic; not thread-safe.
//
// Source: Schulman et al., "Proximal Policy Optimization Algorithms", 2017; what that leaves open
// is as in Huang et al., "The 37 Implementation Details of Proximal Policy Optimization", 2022.
// Actions that may not be chosen are masked, when acting as when learning (Huang and Ontanon, "A
// Closer Look at Invalid Action Masking in Policy Gradient Algorithms", 2020).
class Ppo {
 public:
  // All environments are of one kind.
  Ppo(const PpoSettings& settings, std::vector<std::unique_ptr<Environment>> environments,
      uint64_t seed);

  // Acts, and learns from it. REQUIRES: fewer updates so far than the settings say. Errors:
  // INTERNAL that names the update, the step and the tensor that is not finite; that step was not
  // made.
  Result<PpoReport> Update();

  // The action that is likeliest now.
  size_t Choose(std::span<const float> numbers, std::span<const uint8_t> possible) const;

  const ActorCritic& net() const { return net_; }

 private:
  Status Learn(const NetSteps& steps, PpoReport& report);
  Status LearnFrom(NetSteps minibatch, NetLosses& losses);
  Status Descend(std::vector<float> gradient);

  const PpoSettings settings_;
  const size_t environments_;
  Rng rng_;
  NetRollout rollout_;
  ActorCritic net_;
  Adam<float> adam_;
  size_t updates_ = 0;
};

}  // namespace berth
