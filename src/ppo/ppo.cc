#include "ppo/ppo.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "base/check.h"
#include "ppo/masked_softmax.h"
#include "sim/draw.h"

namespace berth {

Ppo::Ppo(const PpoSettings& settings, std::vector<std::unique_ptr<Environment>> environments,
         uint64_t seed)
    : settings_(settings),
      environments_(environments.size()),
      rng_(seed),
      rollout_(std::move(environments), rng_),
      net_(rollout_.numbers(), rollout_.actions(), settings.hidden, rng_),
      adam_(net_.parameters().size()) {}

Result<PpoReport> Ppo::Update() {
  BERTH_CHECK(updates_ < settings_.updates, "there is an update left");
  PpoReport report{.updates = updates_ + 1,
                   .steps = (updates_ + 1) * settings_.steps * environments_};
  const auto update = [&]() -> Status {
    const Result<NetSteps> steps = rollout_.Act(net_, settings_.steps, settings_.discounts, rng_);
    if (!steps.ok()) return steps.status();
    report.explained_variance = ExplainedVariance(steps->values, steps->returns);
    return Learn(*steps, report);
  };
  if (Status updated = update(); !updated.ok()) {
    return Status(updated.code(),
                  fmt::format("update {}, after {} steps of Adam: {}", report.updates,
                              adam_.state().steps, std::string(updated.message())));
  }
  const std::vector<double>& ended = rollout_.ended();
  report.episodes = ended.size();
  report.mean_return = std::reduce(ended.begin(), ended.end()) /
                       static_cast<double>(std::max<size_t>(1, ended.size()));
  ++updates_;
  return report;
}

size_t Ppo::Choose(std::span<const float> numbers, std::span<const uint8_t> possible) const {
  ActorCritic::Pass pass;
  net_.Forward(numbers, pass);
  return Likeliest(MaskedLogSoftmax(pass.logits(), possible));
}

Status Ppo::Learn(const NetSteps& steps, PpoReport& report) {
  std::vector<size_t> order(steps.size());
  std::iota(order.begin(), order.end(), 0);
  const auto count = static_cast<double>(steps.size());
  for (size_t epoch = 0; epoch < settings_.epochs; ++epoch) {
    Shuffle(order, rng_);
    NetLosses sums;
    for (size_t begin = 0; begin < order.size(); begin += settings_.minibatch) {
      const size_t size = std::min(settings_.minibatch, order.size() - begin);
      const Status learned = LearnFrom(steps.Chosen(std::span(order).subspan(begin, size)), sums);
      if (!learned.ok()) return learned;
    }
    report.policy_loss = sums.policy / count;
    report.value_loss = sums.value / count;
    report.entropy = sums.entropy / count;
    report.clip_fraction = sums.clipped / count;
    report.divergence = sums.divergence / count;
    if (report.divergence > settings_.most_divergence) break;
  }
  return absl::OkStatus();
}

Status Ppo::LearnFrom(NetSteps minibatch, NetLosses& losses) {
  Standardise(minibatch.advantages);
  const Result<ActorCritic::Pass> pass = FinitePass(net_, minibatch.numbers);
  if (!pass.ok()) return pass.status();
  NetLossGradient gradient =
      AddNetLoss(minibatch, pass->logits(), pass->values(), settings_.loss, losses);
  return Descend(net_.Gradient(minibatch.numbers, *pass, std::move(gradient.per_logit),
                               std::move(gradient.per_value)));
}

Status Ppo::Descend(std::vector<float> gradient) {
  if (!std::isfinite(ClipLength<float>(settings_.longest_gradient, gradient))) {
    const auto wrong = std::ranges::find_if(gradient, [](float x) { return !std::isfinite(x); });
    return absl::InternalError(
        fmt::format("the gradient of {} is not finite", net_.TensorOf(wrong - gradient.begin())));
  }
  adam_.Step(gradient, Annealed(settings_.rate, updates_, settings_.updates), net_.parameters());
  return absl::OkStatus();
}

}  // namespace berth
