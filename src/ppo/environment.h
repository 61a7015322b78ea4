#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/rng.h"
#include "ppo/advantages.h"

namespace berth {

// Something that is acted on step by step, episode after episode.
class Environment {
 public:
  virtual ~Environment() = default;

  virtual size_t numbers() const = 0;  // that a state is told by
  virtual size_t actions() const = 0;

  // A new episode. `rng` decides what is left to chance, here and below.
  virtual void Restart(Rng& rng) = 0;

  // The state, and 1 for every action that may be chosen in it, else 0. As many as numbers() and
  // actions(). While the episode goes on there is an action that may be chosen.
  virtual void See(std::span<float> numbers, std::span<uint8_t> possible) const = 0;

  struct Outcome {
    double reward = 0;
    StepEnd end = StepEnd::kGoesOn;
  };
  // REQUIRES: the action may be chosen, and the episode has not ended.
  virtual Outcome Act(size_t action, Rng& rng) = 0;
};

}  // namespace berth
