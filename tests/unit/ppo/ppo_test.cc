#include "ppo/ppo.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ppo/toy_environment.h"
#include "support/toy_optimum.h"

namespace berth {
namespace {

using ::testing::HasSubstr;

std::vector<std::unique_ptr<Environment>> Toys(size_t count) {
  std::vector<std::unique_ptr<Environment>> toys;
  while (toys.size() < count) toys.push_back(MakeToyEnvironment());
  return toys;
}

// What the likeliest actions fill on average.
double MeanFilled(const Ppo& ppo, int episodes) {
  const auto toy = MakeToyEnvironment();
  std::vector<float> numbers(toy->numbers());
  std::vector<uint8_t> possible(toy->actions());
  Rng rng(77);
  double sum = 0;
  for (int i = 0; i < episodes; ++i) {
    toy->Restart(rng);
    Environment::Outcome outcome;
    while (outcome.end == StepEnd::kGoesOn) {
      toy->See(numbers, possible);
      outcome = toy->Act(ppo.Choose(numbers, possible), rng);
      sum += outcome.reward;
    }
  }
  return sum / episodes;
}

// A room without a door: a reward of 1 each step, and only the clock ends an episode.
class Treadmill final : public Environment {
 public:
  explicit Treadmill(StepEnd end) : end_(end) {}

  size_t numbers() const override { return 1; }
  size_t actions() const override { return 1; }
  void Restart(Rng&) override { steps_ = 0; }
  void See(std::span<float> numbers, std::span<uint8_t> possible) const override {
    numbers[0] = reward;
    possible[0] = 1;
  }
  Outcome Act(size_t, Rng&) override { return {reward, ++steps_ == 2 ? end_ : StepEnd::kGoesOn}; }

  float reward = 1;

 private:
  const StepEnd end_;
  int steps_ = 0;
};

double ValueOnATreadmill(StepEnd end) {
  std::vector<std::unique_ptr<Environment>> environments;
  environments.push_back(std::make_unique<Treadmill>(end));
  Ppo ppo({.updates = 150, .steps = 32, .rate = 3e-3, .hidden = 8, .discounts = {.reward = 0.75}},
          std::move(environments), 1);
  for (int i = 0; i < 150; ++i) EXPECT_TRUE(ppo.Update().ok());
  ActorCritic::Pass pass;
  ppo.net().Forward(std::vector<float>{1}, pass);
  return pass.values()[0];
}

TEST(Ppo, RunsTheToyClusterAlmostAsWellAsCanBe) {
  constexpr size_t kUpdates = 30;
  const PpoSettings settings{
      .updates = kUpdates, .steps = 128, .epochs = 6, .rate = 3e-3, .hidden = 32};
  Ppo ppo(settings, Toys(8), 1);
  const double at_first = ppo.Update()->mean_return;
  PpoReport last;
  for (size_t i = 1; i < kUpdates; ++i) last = ppo.Update().value();
  const double best = ToyOptimum().FromIdle();
  EXPECT_LT(at_first, 0.85 * best);
  EXPECT_GT(MeanFilled(ppo, 2000), 0.97 * best);
  EXPECT_GT(last.mean_return, 0.94 * best) << "with actions still drawn";
  EXPECT_EQ(last.updates, kUpdates);
  EXPECT_EQ(last.steps, kUpdates * 8 * 128);
  EXPECT_GT(last.episodes, 50);
  EXPECT_GT(last.explained_variance, 0.5);
  EXPECT_LT(last.entropy, std::log(4));
}

TEST(Ppo, TheSameSeedLearnsTheSameToTheLastBit) {
  const auto parameters = [](uint64_t seed) {
    Ppo ppo({.updates = 3, .steps = 64, .hidden = 16}, Toys(2), seed);
    while (ppo.Update()->updates < 3) continue;
    return std::vector<float>(ppo.net().parameters().begin(), ppo.net().parameters().end());
  };
  EXPECT_EQ(parameters(5), parameters(5));
  EXPECT_NE(parameters(5), parameters(6));
}

// What an end is worth: nothing after it, so 1.75 or 1 by turns; where only the clock ran out, all
// that would have come, 1 / (1 - 0.75).
TEST(Ppo, TellsTheEndOfAnEpisodeFromTheEndOfItsTime) {
  EXPECT_NEAR(ValueOnATreadmill(StepEnd::kTerminated), 1.375, 0.1);
  EXPECT_NEAR(ValueOnATreadmill(StepEnd::kCutOff), 4, 0.3);
}

TEST(Ppo, EndsAnUpdateThatWentFarFromThePolicyBefore) {
  const auto divergence = [](double most) {
    Ppo ppo({.updates = 1, .steps = 128, .rate = 1e-2, .most_divergence = most}, Toys(2), 1);
    return ppo.Update()->divergence;
  };
  EXPECT_NE(divergence(1e9), divergence(1e-4)) << "which stops as soon as it has gone anywhere";
  EXPECT_EQ(divergence(1e9), divergence(1e8));
}

TEST(Ppo, StopsWhereSomethingIsNotFiniteAndNamesIt) {
  std::vector<std::unique_ptr<Environment>> environments;
  auto treadmill = std::make_unique<Treadmill>(StepEnd::kTerminated);
  Treadmill& environment = *treadmill;
  environments.push_back(std::move(treadmill));
  Ppo ppo({.updates = 3, .steps = 4}, std::move(environments), 1);
  ASSERT_TRUE(ppo.Update().ok());
  const std::vector<float> before(ppo.net().parameters().begin(), ppo.net().parameters().end());
  environment.reward = std::numeric_limits<float>::quiet_NaN();
  const auto update = ppo.Update();
  EXPECT_EQ(update.status().code(), absl::StatusCode::kInternal);
  EXPECT_THAT(std::string(update.status().message()),
              HasSubstr("update 2, after 10 steps of Adam"));
  EXPECT_THAT(std::string(update.status().message()), HasSubstr("not finite"));
  EXPECT_EQ(before,
            std::vector<float>(ppo.net().parameters().begin(), ppo.net().parameters().end()));
}

}  // namespace
}  // namespace berth
