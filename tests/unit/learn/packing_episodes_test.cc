#include "learn/packing_episodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "learn/learned_sim_policy.h"
#include "small_training.h"

namespace berth {
namespace {

TEST(PackingJudgement, CountsTheGainAt100PercentLessWhatWasLostBefore) {
  const PackingJudgement judgement{.loads = {50, 90}, .margin = 0.02, .loss_weight = 3};
  struct Case {
    const char* what;
    std::vector<double> policy, fgd;  // at 50, 90 and 100 %
    double want;
  };
  const Case cases[] = {
      {"a gain", {50, 90, 96.5}, {50, 90, 95.5}, 1},
      {"more before does not count", {50, 90.5, 96.5}, {50, 90, 95.5}, 1},
      {"a loss within the margin", {50, 89.98, 96.5}, {50, 90, 95.5}, 1},
      {"a loss beyond it counts three times", {50, 89.88, 96.5}, {50, 90, 95.5}, 1 - 3 * 0.1},
      {"at every load", {49.88, 89.88, 96.5}, {50, 90, 95.5}, 1 - 6 * 0.1},
      {"a loss at the end counts once", {50, 90, 95}, {50, 90, 95.5}, -0.5},
  };
  for (const Case& c : cases) {
    EXPECT_NEAR(judgement.Points(c.policy, c.fgd), c.want, 1e-9) << c.what;
  }
}

TEST(PackingEpisodes, EndWhereTheLastLoadHasBeenSeen) {
  const std::vector<uint64_t> seeds = {1};
  const size_t all = FewTraces(seeds)[0].seeds[0].order.arrivals.size();
  const auto at_100 = PackingEpisodes::Make(FewTraces(seeds), {.loads = {50}}, 1).value();
  const auto at_130 = PackingEpisodes::Make(FewTraces(seeds), {.loads = {130}}, 1).value();
  EXPECT_LT(at_100->trace(0).seeds[0].order.arrivals.size(), all);
  EXPECT_EQ(at_130->trace(0).seeds[0].order.arrivals.size(), all);
}

TEST(PackingEpisodes, KnowWhatFgdMakesOfEachOrder) {
  const std::vector<uint64_t> seeds = {1, 2};
  const auto episodes = PackingEpisodes::Make(FewTraces(seeds), {.loads = {50, 80}}, 2).value();
  ASSERT_EQ(episodes->lists(), 2);
  ASSERT_EQ(episodes->orders(), 2);
  for (size_t list = 0; list < episodes->lists(); ++list) {
    for (size_t order = 0; order < episodes->orders(); ++order) {
      Rng rng(1);
      const auto fgd = RunPacking(FindSimPolicy("fgd").value(), episodes->trace(list).trace,
                                  episodes->trace(list).seeds[order].order, rng);
      EXPECT_EQ(episodes->fgd(list, order).size(), 3);
      size_t last = 100;
      while (!fgd->curve.At(last)) --last;  // a pod may ask for several percent of a few nodes
      EXPECT_EQ(episodes->fgd(list, order).back(), fgd->curve.At(last).value());
    }
  }
}

// A score that lowers whole_gpus is not FGD's, so an episode with it comes out differently.
TEST(PackingEpisodes, ThePolicyIsTheOneThatPlays) {
  const std::vector<uint64_t> seeds = {1};
  const auto episodes = PackingEpisodes::Make(FewTraces(seeds), {.loads = {50, 80}}, 1).value();
  LearnedPolicy spread{.name = "spread"};
  for (StateWeights& weights : spread.packing.common) weights.after[6] = 1;  // gpu_free
  const auto points = episodes->Play(std::make_shared<const LearnedPolicy>(spread), 1, 0);
  ASSERT_TRUE(points.ok()) << points.status();
  EXPECT_LT(*points, -1) << "spreading packs worse than FGD";
}

TEST(FeatureScales, AreTheDeviationsOfWhatVaries) {
  const std::vector<uint64_t> seeds = {1};
  const auto episodes = PackingEpisodes::Make(FewTraces(seeds), {}, 1).value();
  const FeatureScales scales = MeasureScales(*episodes).value();
  for (size_t i = 0; i < kStateFeatures; ++i) {
    const std::string name(StateFeatureTable()[i].name);
    EXPECT_GE(scales.change[i], 0) << name;
    if (name == "scarce_gpu") {
      EXPECT_EQ(scales.after[i], 0) << "no pod here names a model";
    } else if (name == "gpu_free" || name == "fragmentation") {
      EXPECT_GT(scales.change[i], 0.01) << name;
    }
  }
}

}  // namespace
}  // namespace berth
