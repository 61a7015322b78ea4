#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/rng.h"
#include "berth/result.h"
#include "ppo/actor_critic.h"
#include "ppo/advantages.h"
#include "ppo/environment.h"
#include "ppo/net_steps.h"

namespace berth {

// Lets a net act in several environments of one kind, which it looks at together, episode after
// episode.
class NetRollout {
 public:
  // `rng` decides what is left to chance, here and below.
  NetRollout(std::vector<std::unique_ptr<Environment>> environments, Rng& rng);

  size_t numbers() const { return environments_.front()->numbers(); }
  size_t actions() const { return environments_.front()->actions(); }

  // So many steps in each environment, from where it is; those of one environment after those of
  // another. Errors: INTERNAL that names what of the net is not finite.
  Result<NetSteps> Act(const ActorCritic& net, size_t steps, const Discounts& discounts, Rng& rng);

  // What the episodes brought that ended during the last Act().
  const std::vector<double>& ended() const { return ended_; }

 private:
  Status ActEverywhere(const ActorCritic& net, size_t step, NetSteps& steps, Rng& rng);
  Result<double> ValueOf(const ActorCritic& net, const Environment& environment) const;
  void CountReward(size_t environment, const Environment::Outcome& outcome);

  const std::vector<std::unique_ptr<Environment>> environments_;
  std::vector<std::vector<RatedStep>> rated_;  // of each environment
  std::vector<double> so_far_;                 // what the episode in each has brought
  std::vector<double> ended_;
};

// What the net makes of states. Errors: INTERNAL that names what is not finite.
Result<ActorCritic::Pass> FinitePass(const ActorCritic& net, std::span<const float> numbers);

}  // namespace berth
