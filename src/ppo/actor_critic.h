#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/rng.h"
#include "ppo/mlp.h"

namespace berth {

// Two nets side by side over the same numbers: the actor gives a logit for each action, the critic
// what is expected to come. Their parameters are one vector.
class ActorCritic {
 public:
  // The actor's last layer starts so small that all actions are about as likely.
  ActorCritic(size_t numbers, size_t actions, size_t hidden, Rng& rng);

  size_t actions() const { return actor_.outputs(); }
  std::span<const float> parameters() const { return parameters_; }
  std::span<float> parameters() { return parameters_; }

  struct Pass {
    Mlp::Pass actor, critic;

    std::span<const float> logits() const { return actor.outputs(); }  // row by row
    std::span<const float> values() const { return critic.outputs(); }
  };
  // `numbers`: one state after another.
  void Forward(std::span<const float> numbers, Pass& pass) const;

  // The derivatives by the parameters of a loss whose derivatives by logits and values these are.
  std::vector<float> Gradient(std::span<const float> numbers, const Pass& pass,
                              std::vector<float> per_logit, std::vector<float> per_value) const;

  // Where a parameter is: "actor layer 2 weights".
  std::string TensorOf(size_t parameter) const;

 private:
  std::span<const float> OfActor() const;
  std::span<const float> OfCritic() const;

  const Mlp actor_, critic_;
  std::vector<float> parameters_;  // the actor's first
};

}  // namespace berth
