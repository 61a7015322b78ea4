#include "learn/learned_sim_policy.h"

#include <gtest/gtest.h>

#include <random>

#include "policy/learned_scorer.h"
#include "small_training.h"

namespace berth {
namespace {

// A policy with weights of no meaning, so that nothing is equal by chance.
LearnedPolicy RandomPolicy(uint64_t seed) {
  Rng rng(seed);
  std::normal_distribution<double> weight;
  LearnedPolicy policy{.name = "random"};
  ForEachWeight(policy, [&](double& w) { w = weight(rng); });
  return policy;
}

SimPolicy Plain(const LearnedPolicy& policy) {
  return {.name = policy.name,
          .make = [policy](const SimCluster&) { return MakeLearnedScorer(policy); }};
}

void ExpectSameRuns(const SimPolicy& a, const SimPolicy& b) {
  const std::vector<uint64_t> seeds = {1, 2};
  for (const SeededTrace& trace : FewTraces(seeds)) {
    for (const SeededTrace::Seed& seed : trace.seeds) {
      Rng rng(1), same_rng(1);
      const auto first = RunPacking(a, trace.trace, seed.order, rng);
      const auto second = RunPacking(b, trace.trace, seed.order, same_rng);
      ASSERT_TRUE(first.ok() && second.ok());
      EXPECT_EQ(first->failed.all.pods, second->failed.all.pods);
      for (size_t percent = 0; percent < InflationCurve::kPoints; ++percent) {
        ASSERT_EQ(first->curve.At(percent), second->curve.At(percent)) << trace.name << percent;
      }
    }
  }
}

TEST(LearnedSimPolicy, PlacesAsTheScorerThatServesDoes) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const LearnedPolicy policy = RandomPolicy(seed);
    ExpectSameRuns(Simulated(std::make_shared<const LearnedPolicy>(policy)), Plain(policy));
  }
}

// Where training starts, whatever the mix: nothing is lost by construction.
TEST(LearnedSimPolicy, StartsAsTheBestHeuristic) {
  ExpectSameRuns(Simulated(std::make_shared<const LearnedPolicy>(FgdBestFitAsLearned("x"))),
                 FindSimPolicy("fgd-bestfit").value());
}

}  // namespace
}  // namespace berth
