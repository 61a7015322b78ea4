#include "ppo/advantages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace berth {
namespace {

using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Pointwise;

constexpr Discounts kDiscounts{.reward = 0.9, .trust = 0.5};

TEST(Advantages, AreWhatComesOutByHand) {
  struct Case {
    const char* what;
    std::vector<RatedStep> steps;
    std::vector<double> want;
  };
  const Case cases[] = {
      {"one step that ends it", {{.reward = 3, .value = 1, .end = StepEnd::kTerminated}}, {2}},
      {"what comes after the end is worth nothing, whatever is said of it",
       {{.reward = 3, .value = 1, .end = StepEnd::kTerminated, .value_after = 100}},
       {2}},
      {"what comes after a cut is worth its value",
       {{.reward = 3, .value = 1, .end = StepEnd::kCutOff, .value_after = 100}},
       {3 + 0.9 * 100 - 1}},
      {"a step is worth part of what the next one brought",
       {{.reward = 1, .value = 2}, {.reward = 4, .value = 3, .end = StepEnd::kTerminated}},
       {1 + 0.9 * 3 - 2 + 0.45 * 1, 1}},
      {"nothing of the next episode",
       {{.reward = 1, .value = 2, .end = StepEnd::kTerminated},
        {.reward = 4, .value = 3, .end = StepEnd::kTerminated}},
       {-1, 1}},
      {"nor after a cut",
       {{.reward = 1, .value = 2, .end = StepEnd::kCutOff, .value_after = 10},
        {.reward = 4, .value = 3, .end = StepEnd::kTerminated}},
       {8, 1}},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(Advantages(c.steps, kDiscounts), Pointwise(DoubleEq(), c.want)) << c.what;
  }
}

TEST(Advantages, WithFullTrustAreTheReturnLessTheValue) {
  const std::vector<RatedStep> steps = {{.reward = 1, .value = 7},
                                        {.reward = 2, .value = -3},
                                        {.reward = 3, .value = 5, .end = StepEnd::kTerminated}};
  const double second = 2 + 0.9 * 3, first = 1 + 0.9 * second;
  EXPECT_THAT(Advantages(steps, {.reward = 0.9, .trust = 1}),
              ElementsAre(DoubleEq(first - 7), DoubleEq(second + 3), DoubleEq(3 - 5)));
}

TEST(Advantages, WithoutTrustAreEachStepsOwnSurprise) {
  const std::vector<RatedStep> steps = {{.reward = 1, .value = 7},
                                        {.reward = 3, .value = 5, .end = StepEnd::kTerminated}};
  EXPECT_THAT(Advantages(steps, {.reward = 1, .trust = 0}), ElementsAre(1 + 5 - 7, 3 - 5));
}

// Where the values are right, no step of a sure thing is better or worse than expected.
TEST(Advantages, OfARightExpectationAreZeroEvenWhereTheEpisodeIsCutOff) {
  std::vector<RatedStep> steps(20, {.reward = 1, .value = 10});
  steps.back() = {.reward = 1, .value = 10, .end = StepEnd::kCutOff, .value_after = 10};
  EXPECT_THAT(Advantages(steps, {.reward = 0.9, .trust = 0.95}), Each(DoubleNear(0, 1e-12)));
}

TEST(Standardise, MakesMeanZeroAndDeviationOne) {
  std::vector<double> values = {1, 2, 3, 4};
  Standardise(values);
  const double unit = 1 / std::sqrt(1.25);
  EXPECT_THAT(values,
              Pointwise(DoubleNear(1e-6), {-1.5 * unit, -0.5 * unit, 0.5 * unit, 1.5 * unit}));
  std::vector<double> equal = {5, 5, 5};
  Standardise(equal);
  EXPECT_THAT(equal, Each(0));
  Standardise({});
}

TEST(ExplainedVariance, TellsHowWellValuesForetell) {
  const std::vector<double> returns = {1, 2, 3, 6};
  EXPECT_EQ(ExplainedVariance(returns, returns), 1);
  EXPECT_EQ(ExplainedVariance(std::vector<double>{11, 12, 13, 16}, returns), 1)
      << "but for a shift";
  EXPECT_EQ(ExplainedVariance(std::vector<double>{3, 3, 3, 3}, returns), 0);
  EXPECT_EQ(ExplainedVariance(std::vector<double>{-1, -2, -3, -6}, returns), -3);
  EXPECT_EQ(ExplainedVariance(std::vector<double>{1, 2}, std::vector<double>{4, 4}), 0);
}

}  // namespace
}  // namespace berth
