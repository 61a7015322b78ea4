#include "learn/packing_ppo.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "learn/learned_sim_policy.h"
#include "sim/packing_run.h"
#include "small_training.h"

namespace berth {
namespace {

using ::testing::Each;
using ::testing::Field;
using ::testing::Gt;
using ::testing::Le;
using ::testing::SizeIs;

constexpr uint64_t kSeeds[] = {1, 2, 3};

class PackingPpoTest : public testing::Test {
 protected:
  PackingRollout RollOut(const RolloutSettings& settings, const SimPolicy* expert = nullptr,
                         uint64_t seed = 1) const {
    return RollOutPacking(policy_, episodes_->trace(0), 0, scales_, settings, expert, Rng(seed))
        .value();
  }

  double Failed(const PackingRollout& rollout) const {
    double failed = 0;
    for (const auto& step : rollout.steps) failed += step.failed;
    return failed;
  }

  double FailedOf(const SimPolicy& policy) const {
    const SeededTrace& trace = episodes_->trace(0);
    Rng rng(1);
    const auto run = RunPacking(policy, trace.trace, trace.seeds[0].order, rng);
    return run->failed.all.gpus();
  }

  const std::unique_ptr<PackingEpisodes> episodes_ =
      PackingEpisodes::Make(FewTraces(kSeeds), {.loads = {130}}, 1).value();
  const FeatureScales scales_ = MeasureScales(*episodes_).value();
  const std::shared_ptr<const LearnedPolicy> policy_ =
      std::make_shared<const LearnedPolicy>(FgdBestFitAsLearned("start"));
};

TEST_F(PackingPpoTest, ARolloutThatHardlyStraysFailsWhatThePolicyFails) {
  const PackingRollout rollout = RollOut({.temperature = 1e-6, .recorded = 1});
  EXPECT_THAT(rollout.steps, SizeIs(episodes_->trace(0).seeds[0].order.arrivals.size()));
  EXPECT_DOUBLE_EQ(Failed(rollout), FailedOf(Simulated(policy_)));
  EXPECT_EQ(rollout.steps.front().load, 0);
  EXPECT_GT(rollout.steps.back().load, 1.2);
}

TEST_F(PackingPpoTest, ARolloutThatStraysRecordsItsChoices) {
  const PackingRollout all = RollOut({.temperature = 0.1, .recorded = 1});
  const PackingRollout some = RollOut({.temperature = 0.1, .recorded = 0.3});
  EXPECT_THAT(some.choices.size(), testing::Lt(all.choices.size()));
  EXPECT_THAT(all.choices, Each(Field(&NodeChoice::scores, SizeIs(Gt(1)))));
  for (const NodeChoice& choice : all.choices) {
    ASSERT_LT(choice.chosen, choice.scores.size());
    ASSERT_EQ(choice.features.size(), choice.scores.size());
    ASSERT_TRUE(std::ranges::is_sorted(choice.scores, std::greater<>())) << "each score once";
    ASSERT_LT(choice.step, all.steps.size());
  }
}

// The sums are kept up to date, placement by placement.
TEST_F(PackingPpoTest, ARolloutSumsUpTheCluster) {
  const PackingRollout rollout = RollOut({.temperature = 0.1, .recorded = 0});
  constexpr size_t kGpuFree = 6;
  double free = rollout.steps.front().summary[kGpuFree];
  EXPECT_EQ(free, 4 * 8 + 2 * 2 + 2 * 4) << "all GPUs are free at first";
  for (size_t i = 1; i < rollout.steps.size(); ++i) {
    ASSERT_THAT(rollout.steps[i].summary[kGpuFree], Le(free + 1e-4));
    free = rollout.steps[i].summary[kGpuFree];
  }
  EXPECT_LT(free, 10);
}

TEST_F(PackingPpoTest, AnExpertLeadsTheRolloutAndItsChoicesAreRecorded) {
  const SimPolicy expert = FindSimPolicy("bestfit").value();
  const PackingRollout led = RollOut({.temperature = 0.01, .recorded = 1}, &expert);
  const PackingRollout same = RollOut({.temperature = 0.5, .recorded = 0}, &expert, 99);
  EXPECT_GT(led.choices.size(), 10);
  EXPECT_EQ(Failed(led), Failed(same)) << "nothing of the policy decides but the GPU of a share";
}

TEST_F(PackingPpoTest, UpdatesAreTheSameOnAnyNumberOfThreads) {
  const std::vector<WeightBlock> blocks = {{}, {.number = MixNumber::kShares}};
  const std::vector<PackingLesson> lessons = {{0, 0, 5}, {1, 2, 6}, {0, 1, 7}};
  const auto two_updates = [&](int threads) {
    PackingPpoState state = InitialPackingPpo(blocks.size());
    Rng rng(1);
    const PackingPpoSettings settings{.rollout = {.temperature = 0.05, .recorded = 1}};
    for (int i = 0; i < 2; ++i) {
      const auto policy =
          std::make_shared<const LearnedPolicy>(Moved(*policy_, blocks, scales_, state.parameters));
      const PackingTeacher teacher{policy, *episodes_, scales_, blocks, threads};
      const auto report = UpdatePackingPpo(teacher, lessons, settings, 1e-3, rng, state);
      EXPECT_TRUE(report.ok()) << report.status();
      EXPECT_LE(report->mean_return, 0);
      EXPECT_GT(report->learning.entropy, 0);
    }
    return state;
  };
  const PackingPpoState state = two_updates(1);
  EXPECT_EQ(state, two_updates(3));
  EXPECT_THAT(state.parameters, testing::Contains(testing::Ne(0)));
}

}  // namespace
}  // namespace berth
