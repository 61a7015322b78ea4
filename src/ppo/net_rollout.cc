#include "ppo/net_rollout.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ppo/masked_softmax.h"

namespace berth {
namespace {

bool AllFinite(std::span<const float> values) {
  return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

}  // namespace

Result<ActorCritic::Pass> FinitePass(const ActorCritic& net, std::span<const float> numbers) {
  ActorCritic::Pass pass;
  net.Forward(numbers, pass);
  if (!AllFinite(pass.logits())) return absl::InternalError("the logits are not finite");
  if (!AllFinite(pass.values())) return absl::InternalError("the values are not finite");
  return pass;
}

NetRollout::NetRollout(std::vector<std::unique_ptr<Environment>> environments, Rng& rng)
    : environments_(std::move(environments)),
      rated_(environments_.size()),
      so_far_(environments_.size()) {
  for (const auto& environment : environments_) environment->Restart(rng);
}

Result<NetSteps> NetRollout::Act(const ActorCritic& net, size_t count, const Discounts& discounts,
                                 Rng& rng) {
  NetSteps steps(count * environments_.size(), numbers(), actions());
  ended_.clear();
  for (auto& rated : rated_) rated.assign(count, {});
  for (size_t step = 0; step < count; ++step) {
    if (Status acted = ActEverywhere(net, step, steps, rng); !acted.ok()) return acted;
  }
  for (size_t e = 0; e < environments_.size(); ++e) {
    RatedStep& last = rated_[e].back();
    if (last.end == StepEnd::kGoesOn) {
      const Result<double> value = ValueOf(net, *environments_[e]);
      if (!value.ok()) return value.status();
      last.end = StepEnd::kCutOff;
      last.value_after = *value;
    }
    const std::vector<double> advantages = Advantages(rated_[e], discounts);
    for (size_t i = 0; i < count; ++i) {
      const size_t at = e * count + i;
      steps.values[at] = rated_[e][i].value;
      steps.advantages[at] = advantages[i];
      steps.returns[at] = advantages[i] + rated_[e][i].value;
    }
  }
  return steps;
}

Status NetRollout::ActEverywhere(const ActorCritic& net, size_t step, NetSteps& steps, Rng& rng) {
  const size_t each = rated_.front().size();
  std::vector<float> seen;
  for (size_t e = 0; e < environments_.size(); ++e) {
    const auto numbers = steps.NumbersOf(e * each + step);
    environments_[e]->See(numbers, steps.PossibleIn(e * each + step));
    seen.insert(seen.end(), numbers.begin(), numbers.end());
  }
  const Result<ActorCritic::Pass> pass = FinitePass(net, seen);
  if (!pass.ok()) return pass.status();
  for (size_t e = 0; e < environments_.size(); ++e) {
    const size_t at = e * each + step;
    const auto log_probabilities =
        MaskedLogSoftmax(pass->logits().subspan(e * actions(), actions()), steps.PossibleIn(at));
    const size_t action = DrawCandidate(log_probabilities, rng);
    const Environment::Outcome outcome = environments_[e]->Act(action, rng);
    steps.actions[at] = action;
    steps.log_probabilities[at] = log_probabilities[action];
    RatedStep& rated = rated_[e][step];
    rated = {.reward = outcome.reward, .value = pass->values()[e], .end = outcome.end};
    CountReward(e, outcome);
    if (outcome.end == StepEnd::kGoesOn) continue;
    const Result<double> value = ValueOf(net, *environments_[e]);
    if (!value.ok()) return value.status();
    rated.value_after = *value;
    environments_[e]->Restart(rng);
  }
  return absl::OkStatus();
}

// What the critic expects to come in the state that an environment is in.
Result<double> NetRollout::ValueOf(const ActorCritic& net, const Environment& environment) const {
  std::vector<float> numbers(this->numbers());
  std::vector<uint8_t> possible(actions());
  environment.See(numbers, possible);
  const Result<ActorCritic::Pass> pass = FinitePass(net, numbers);
  if (!pass.ok()) return pass.status();
  return pass->values()[0];
}

void NetRollout::CountReward(size_t environment, const Environment::Outcome& outcome) {
  so_far_[environment] += outcome.reward;
  if (outcome.end == StepEnd::kGoesOn) return;
  ended_.push_back(std::exchange(so_far_[environment], 0));
}

}  // namespace berth
