#include "learn/evolution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace berth {
namespace {

using Function = std::function<double(std::span<const double>)>;

void Evolve(Evolution& evolution, Rng& rng, const Function& value, int generations) {
  for (int i = 0; i < generations; ++i) {
    std::vector<double> values;
    for (const auto& candidate : evolution.Ask(rng)) values.push_back(value(candidate));
    evolution.Tell(values);
  }
}

// Highest at (1, 2, 3, ...).
double Sphere(std::span<const double> x) {
  double value = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double off = x[i] - static_cast<double>(i + 1);
    value -= off * off;
  }
  return value;
}

// A valley a hundred times as long as it is wide, across the axes, with its end at (3, 3, 3, 3).
double Valley(std::span<const double> x) {
  double along = 0, across = 0;
  for (size_t i = 0; i < x.size(); ++i) along += x[i] - 3;
  for (size_t i = 1; i < x.size(); ++i) across += (x[i] - x[i - 1]) * (x[i] - x[i - 1]);
  return -along * along - 1e4 * across;
}

TEST(Evolution, ClimbsToTheTop) {
  Evolution evolution({.dimensions = 5, .candidates = 12, .step = 0.5});
  Rng rng(1);
  Evolve(evolution, rng, Sphere, 200);
  EXPECT_GT(Sphere(evolution.mean()), -1e-6);
  EXPECT_LT(evolution.step(), 0.01) << "where it is right, it takes small steps";
}

TEST(Evolution, LearnsTheShapeOfAValley) {
  Evolution evolution({.dimensions = 4, .candidates = 12, .step = 0.5});
  Rng rng(2);
  Evolve(evolution, rng, Valley, 600);
  EXPECT_GT(Valley(evolution.mean()), -1e-3);
}

TEST(Evolution, TakesLargerStepsWhereTheWayIsLong) {
  Evolution evolution({.dimensions = 3, .candidates = 10, .step = 0.01});
  Rng rng(3);
  Evolve(
      evolution, rng, [](std::span<const double> x) { return x[0]; }, 60);
  EXPECT_GT(evolution.step(), 0.1);
}

TEST(Evolution, CandidatesComeInMirroredPairs) {
  Evolution evolution({.dimensions = 3, .candidates = 6, .step = 0.5});
  Rng rng(4);
  const auto& candidates = evolution.Ask(rng);
  ASSERT_EQ(candidates.size(), 6);
  for (size_t i = 0; i < 3; ++i) {
    for (size_t d = 0; d < 3; ++d) EXPECT_DOUBLE_EQ(candidates[i][d], -candidates[i + 3][d]);
  }
}

// Of two candidates that are wanted the mean becomes what their weights make of them.
TEST(Evolution, MovesToTheWeightedMeanOfTheBetterHalf) {
  Evolution evolution({.dimensions = 2, .candidates = 4, .step = 1});
  Rng rng(5);
  const auto candidates = evolution.Ask(rng);
  const double values[] = {1, 4, 2, 3};
  evolution.Tell(values);
  const double first = std::log(2.5) - std::log(1), second = std::log(2.5) - std::log(2);
  for (size_t d = 0; d < 2; ++d) {
    const double want = (first * candidates[1][d] + second * candidates[3][d]) / (first + second);
    EXPECT_NEAR(evolution.mean()[d], want, 1e-12);
  }
}

TEST(Evolution, OnlyTheOrderOfTheValuesMatters) {
  Evolution plain({.dimensions = 4, .candidates = 8, .step = 0.3});
  Evolution squeezed({.dimensions = 4, .candidates = 8, .step = 0.3});
  Rng rng(6), same_rng(6);
  Evolve(plain, rng, Sphere, 10);
  Evolve(
      squeezed, same_rng, [](std::span<const double> x) { return std::exp(Sphere(x) / 100); }, 10);
  EXPECT_EQ(plain.state(), squeezed.state());
}

TEST(Evolution, GoesOnFromASavedStateAsIfNothingHadHappened) {
  const Evolution::Settings settings{.dimensions = 4, .candidates = 8, .step = 0.3};
  Evolution whole(settings), first(settings), second(settings);
  Rng rng(7), parts_rng(7);
  Evolve(whole, rng, Valley, 20);
  Evolve(first, parts_rng, Valley, 8);
  second.Restore(first.state());
  Evolve(second, parts_rng, Valley, 12);
  EXPECT_EQ(whole.state(), second.state());
}

}  // namespace
}  // namespace berth
