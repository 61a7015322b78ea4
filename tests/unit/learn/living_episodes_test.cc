#include "learn/living_episodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "small_training.h"

namespace berth {
namespace {

LivingResult Result(double allocated, double wait, std::array<double, kJobSizes> of_sizes) {
  LivingResult result{.allocated = allocated, .waits = {.mean = wait}};
  for (size_t i = 0; i < kJobSizes; ++i) result.waits_by_size[i].mean = of_sizes[i];
  return result;
}

// By hand, with the half thousandth that is noise: (0.0995 + 0.0005) / (0.0495 + 0.0005) = 2.
// A gain of x is worth 1 - exp(-x), so half the wait is worth 1/2; a loss counts three times.
TEST(LivingJudgement, CountsWaitsOfAllAndOfEachSizeAndAllocation) {
  const LivingResult reference = Result(0.9, 0.0995, {0, 0.0995, 0.0995, 0.0995, 0.0995});
  const double ln2 = std::log(2);
  struct Case {
    const char* what;
    LivingResult policy;
    double want;
  };
  const Case cases[] = {
      {"the same", reference, 0},
      {"all wait half", Result(0.9, 0.0495, {0, 0.0495, 0.0495, 0.0495, 0.0495}),
       0.5 + 0.5 * (1 - std::exp(-0.8 * ln2))},
      {"all but the largest, which wait twice as long",
       Result(0.9, 0.0495, {0, 0.0495, 0.0495, 0.0495, 0.1995}),
       0.5 + 0.5 * (1 - std::exp(-0.4 * ln2))},
      {"all wait twice as long", Result(0.9, 0.1995, {0, 0.1995, 0.1995, 0.1995, 0.1995}),
       -3 * ln2 - 0.5 * 3 * 0.8 * ln2},
      {"nobody waits where nobody waited", Result(0.9, 0.0995, {0, 0.0995, 0.0995, 0.0995, 0.0995}),
       0},
      {"two points more are in use", Result(0.92, 0.0995, {0, 0.0995, 0.0995, 0.0995, 0.0995}),
       1 - std::exp(-0.5)},
      {"two points less are in use", Result(0.88, 0.0995, {0, 0.0995, 0.0995, 0.0995, 0.0995}),
       -1.5},
  };
  for (const Case& c : cases) {
    EXPECT_NEAR(LivingJudgement::Points(c.policy, reference), c.want, 1e-9) << c.what;
  }
}

LivingJudgement Judgement() {
  return {.settings = {{{kFifo, 0.95}}, {{kBackfill, 1}}}, .span = {.warm_up = 1, .length = 3}};
}

TEST(LivingEpisodes, WhoPlaysAsTheHeuristicDoesGetsNothing) {
  const auto episodes = LivingEpisodes::Make(FewLivingTraces(), {1, 2}, Judgement(), 2).value();
  ASSERT_EQ(episodes->lists(), 1);
  ASSERT_EQ(episodes->orders(), 2);
  const auto start = std::make_shared<const LearnedPolicy>(FgdBestFitAsLearned("start"));
  for (size_t order = 0; order < 2; ++order) {
    EXPECT_EQ(episodes->Play(start, 0, order).value(), 0) << order;
  }
}

// What pods do that leave is decided by the weights for that, and worse ones make jobs wait.
TEST(LivingEpisodes, ThePolicyThatPlaysIsTheOneForPodsThatLeave) {
  const auto episodes = LivingEpisodes::Make(FewLivingTraces(), {1}, Judgement(), 1).value();
  LearnedPolicy policy = FgdBestFitAsLearned("spread");
  for (StateWeights& weights : policy.packing.common) weights.after[6] = 1;  // gpu_free
  EXPECT_EQ(episodes->Play(std::make_shared<const LearnedPolicy>(policy), 0, 0).value(), 0);
  std::swap(policy.packing, policy.living);
  EXPECT_LT(episodes->Play(std::make_shared<const LearnedPolicy>(policy), 0, 0).value(), -0.05);
}

}  // namespace
}  // namespace berth
