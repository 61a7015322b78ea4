#include "ppo/net_loss.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/finite_difference.h"

namespace berth {
namespace {

// Three steps with three actions, not all of which are possible everywhere.
NetSteps ThreeSteps() {
  NetSteps steps(3, 1, 3);
  steps.possible = {1, 1, 1, 1, 0, 1, 0, 1, 1};
  steps.actions = {0, 2, 1};
  steps.log_probabilities = {-1, -0.6, -0.9};
  steps.advantages = {1.5, -0.5, 0.25};
  steps.returns = {1, 2, -1};
  return steps;
}

const std::vector<double> kLogits = {0.1, -0.2, 0.3, 0.5, 7, -0.4, 9, 0, 0.2};
const std::vector<double> kValues = {0.5, 0.5, 1};
constexpr NetLossSettings kSettings{.clip = 0.2, .value_weight = 0.7, .entropy_weight = 0.3};

std::vector<float> Floats(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

double Loss(const std::vector<double>& logits, const std::vector<double>& values) {
  NetLosses sums;
  AddNetLoss(ThreeSteps(), Floats(logits), Floats(values), kSettings, sums);
  return (sums.policy + 0.7 * sums.value - 0.3 * sums.entropy) / 3;
}

TEST(NetLoss, ItsGradientIsThatOfFiniteDifferences) {
  NetLosses sums;
  const NetLossGradient gradient =
      AddNetLoss(ThreeSteps(), Floats(kLogits), Floats(kValues), kSettings, sums);
  const auto of_logits = Derivatives(
      [](const std::vector<double>& logits) { return Loss(logits, kValues); }, kLogits, 1e-3);
  const auto of_values = Derivatives(
      [](const std::vector<double>& values) { return Loss(kLogits, values); }, kValues, 1e-3);
  for (size_t i = 0; i < 9; ++i) EXPECT_NEAR(gradient.per_logit[i], of_logits[i], 2e-4) << i;
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(gradient.per_value[i], of_values[i], 2e-3) << i;
  EXPECT_EQ(gradient.per_logit[4], 0) << "an action that is masked learns nothing";
}

TEST(NetLoss, AddsUpWhatThereIsToWatch) {
  NetSteps step(1, 1, 2);
  step.possible = {1, 1};
  step.log_probabilities = {std::log(0.25)};
  step.advantages = {1};
  step.returns = {3};
  NetLosses sums{.policy = 10};
  AddNetLoss(step, std::vector<float>{0, 0}, std::vector<float>{1}, kSettings, sums);
  EXPECT_NEAR(sums.policy, 10 - 1.2, 1e-6) << "twice as likely, but 1.2 is enough";
  EXPECT_EQ(sums.value, 4);
  EXPECT_NEAR(sums.entropy, std::log(2), 1e-6);
  EXPECT_EQ(sums.clipped, 1);
  EXPECT_NEAR(sums.divergence, 2 - 1 - std::log(2), 1e-6);
}

}  // namespace
}  // namespace berth
