#include "ppo/ppo_loss.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ppo/imitation_loss.h"
#include "ppo/masked_softmax.h"
#include "support/finite_difference.h"

namespace berth {
namespace {

TEST(PolicyLoss, IsWhatComesOutByHand) {
  struct Case {
    const char* what;
    double ratio, advantage, loss, per_log_probability;
    bool clipped;
  };
  const Case cases[] = {
      {"as likely as before", 1, 2, -2, -2, false},
      {"a little likelier and good", 1.1, 2, -2.2, -2.2, false},
      {"much likelier and good: enough", 1.5, 2, -2.4, 0, true},
      {"much likelier and bad: back", 1.5, -2, 3, 3, true},
      {"much less likely and good: back", 0.5, 2, -1, -1, true},
      {"much less likely and bad: enough", 0.5, -2, 1.6, 0, true},
      {"neither good nor bad", 1.5, 0, 0, 0, true},
  };
  for (const Case& c : cases) {
    const PolicyLoss loss = PolicyLossOf(std::log(c.ratio) - 3, -3, c.advantage, 0.2);
    EXPECT_NEAR(loss.loss, c.loss, 1e-12) << c.what;
    EXPECT_NEAR(loss.per_log_probability, c.per_log_probability, 1e-12) << c.what;
    EXPECT_EQ(loss.clipped, c.clipped) << c.what;
    EXPECT_NEAR(loss.divergence, c.ratio - 1 - std::log(c.ratio), 1e-12) << c.what;
  }
}

TEST(PolicyLoss, ItsDerivativeIsThatOfFiniteDifferences) {
  for (const double log_ratio : {-0.9, -0.2, -0.05, 0.0, 0.1, 0.3, 2.0}) {
    for (const double advantage : {-3.0, -0.1, 0.7, 5.0}) {
      const auto loss = [&](const std::vector<double>& x) {
        return PolicyLossOf(x[0], -1.5, advantage, 0.2).loss;
      };
      const double at = -1.5 + log_ratio;
      EXPECT_NEAR(PolicyLossOf(at, -1.5, advantage, 0.2).per_log_probability,
                  Derivatives(loss, {at})[0], 1e-6)
          << log_ratio << ", " << advantage;
    }
  }
}

// The mean over what the old policy chooses is the divergence of the new one from it.
TEST(PolicyLoss, ItsDivergenceEstimatesKl) {
  const double before[] = {0.5, 0.3, 0.2}, after[] = {0.4, 0.5, 0.1};
  double estimate = 0, exact = 0;
  for (size_t i = 0; i < 3; ++i) {
    estimate += before[i] * PolicyLossOf(std::log(after[i]), std::log(before[i]), 1, 1).divergence;
    exact += before[i] * std::log(before[i] / after[i]);
  }
  EXPECT_NEAR(estimate, exact, 1e-12);
}

TEST(ValueLoss, IsTheSquaredErrorAndItsDerivative) {
  EXPECT_EQ(ValueLossOf(5, 2).loss, 9);
  EXPECT_EQ(ValueLossOf(5, 2).per_value, 6);
  const auto loss = [](const std::vector<double>& x) { return ValueLossOf(x[0], 2).loss; };
  EXPECT_NEAR(ValueLossOf(-1, 2).per_value, Derivatives(loss, {-1})[0], 1e-6);
}

TEST(ImitationLoss, IsTheCrossEntropyAndItsGradient) {
  const std::vector<double> logits = {0.5, kMasked, -1, 2};
  std::vector<double> log_p(4), gradient(4), ignored(4);
  ASSERT_TRUE(LogSoftmax(logits, log_p));
  EXPECT_EQ(ImitationLoss(log_p, 2, 1, gradient), -log_p[2]);
  const auto loss = [&](const std::vector<double>& x) {
    std::vector<double> of_x(4);
    EXPECT_TRUE(LogSoftmax(x, of_x));
    return ImitationLoss(of_x, 2, 1, ignored);
  };
  const std::vector<double> want = Derivatives(loss, logits);
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(gradient[i], i == 1 ? 0 : want[i], 1e-7);
}

TEST(ImitationLoss, IsNothingWhereTheExpertsChoiceIsCertain) {
  std::vector<double> gradient(2);
  EXPECT_EQ(ImitationLoss(std::vector<double>{kMasked, 0}, 1, 1, gradient), 0);
  EXPECT_EQ(gradient, (std::vector<double>{0, 0}));
}

}  // namespace
}  // namespace berth
