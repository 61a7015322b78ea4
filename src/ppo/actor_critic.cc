#include "ppo/actor_critic.h"

#include <utility>

namespace berth {

ActorCritic::ActorCritic(size_t numbers, size_t actions, size_t hidden, Rng& rng)
    : actor_(numbers, hidden, actions), critic_(numbers, hidden, 1) {
  constexpr double kActorGain = 0.01, kCriticGain = 1;
  parameters_ = actor_.DrawParameters(kActorGain, rng);
  const std::vector<float> of_critic = critic_.DrawParameters(kCriticGain, rng);
  parameters_.insert(parameters_.end(), of_critic.begin(), of_critic.end());
}

void ActorCritic::Forward(std::span<const float> numbers, Pass& pass) const {
  actor_.Forward(OfActor(), numbers, pass.actor);
  critic_.Forward(OfCritic(), numbers, pass.critic);
}

std::vector<float> ActorCritic::Gradient(std::span<const float> numbers, const Pass& pass,
                                         std::vector<float> per_logit,
                                         std::vector<float> per_value) const {
  std::vector<float> gradient(parameters_.size());
  const auto of_actor = std::span(gradient).first(actor_.parameters());
  const auto of_critic = std::span(gradient).subspan(actor_.parameters());
  actor_.Backward(OfActor(), numbers, pass.actor, std::move(per_logit), of_actor);
  critic_.Backward(OfCritic(), numbers, pass.critic, std::move(per_value), of_critic);
  return gradient;
}

std::string ActorCritic::TensorOf(size_t parameter) const {
  if (parameter < actor_.parameters()) return "actor " + actor_.TensorOf(parameter);
  return "critic " + critic_.TensorOf(parameter - actor_.parameters());
}

std::span<const float> ActorCritic::OfActor() const {
  return std::span(parameters_).first(actor_.parameters());
}

std::span<const float> ActorCritic::OfCritic() const {
  return std::span(parameters_).subspan(actor_.parameters());
}

}  // namespace berth
