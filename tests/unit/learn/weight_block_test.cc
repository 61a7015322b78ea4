#include "learn/weight_block.h"

#include <gtest/gtest.h>

#include <vector>

namespace berth {
namespace {

FeatureScales Scales(double change, double after) {
  FeatureScales scales;
  scales.change.fill(change);
  scales.after.fill(after);
  return scales;
}

// Of one block: the parameter of a kind, a feature, and its change (0) or value after (1).
size_t Position(PodKind kind, size_t feature, size_t which) {
  return (static_cast<size_t>(kind) * kStateFeatures + feature) * 2 + which;
}

TEST(WeightBlock, NoParametersChangeNothing) {
  const LearnedPolicy heuristic = FgdBestFitAsLearned("x");
  const WeightBlock blocks[] = {{}, {.regime = Regime::kLiving, .number = MixNumber::kShares}};
  const std::vector<double> none(2 * kBlockParameters);
  EXPECT_EQ(Moved(heuristic, blocks, Scales(1, 1), none), heuristic);
}

TEST(WeightBlock, AParameterMovesTheWeightsOfItsFeatureByItsScale) {
  const WeightBlock blocks[] = {{.number = MixNumber::kCpuPressure}};
  std::vector<double> parameters(kBlockParameters);
  parameters[Position(PodKind::kOneGpu, 7, 0)] = 3;
  parameters[Position(PodKind::kOneGpu, 7, 1)] = 5;
  const LearnedPolicy moved = Moved({}, blocks, Scales(2, 10), parameters);
  LearnedPolicy want;
  StateWeights& weights = want.packing.of_number[static_cast<size_t>(MixNumber::kCpuPressure)]
                                                [static_cast<size_t>(PodKind::kOneGpu)];
  weights.before[7] = -1.5;  // what the placement changes is after - before
  weights.after[7] = 1.5 + 0.5;
  EXPECT_EQ(moved, want);
}

TEST(WeightBlock, BlocksHaveTheirParametersOneAfterTheOther) {
  const WeightBlock blocks[] = {{}, {.regime = Regime::kLiving}};
  std::vector<double> parameters(2 * kBlockParameters);
  parameters[Position(PodKind::kNoGpu, 0, 1)] = 1;
  parameters[kBlockParameters + Position(PodKind::kSeveralGpus, 2, 1)] = 2;
  const LearnedPolicy moved = Moved({}, blocks, Scales(1, 1), parameters);
  LearnedPolicy want;
  want.packing.common[0].after[0] = 1;
  want.living.common[4].after[2] = 2;
  EXPECT_EQ(moved, want);
}

TEST(WeightBlock, AFeatureThatNeverVariesGetsNoWeight) {
  const WeightBlock blocks[] = {{}};
  const std::vector<double> ones(kBlockParameters, 1);
  EXPECT_EQ(Moved({}, blocks, Scales(0, 0), ones), LearnedPolicy());
}

TEST(WeightBlock, WhatIsShrunkGoesBackToTheStartInOneRegime) {
  LearnedPolicy start, policy;
  start.living.common[1].before[3] = 10;
  policy.living.common[1].before[3] = 20;
  policy.living.of_number[2][0].after[5] = 4;
  policy.packing.common[0].after[0] = 7;
  LearnedPolicy want = policy;
  want.living.common[1].before[3] = 12.5;
  want.living.of_number[2][0].after[5] = 1;
  EXPECT_EQ(Shrunk(policy, start, Regime::kLiving, 0.25), want);
  EXPECT_EQ(Shrunk(policy, start, Regime::kPacking, 0).packing, start.packing);
  EXPECT_EQ(Shrunk(policy, start, Regime::kLiving, 1), policy);
}

}  // namespace
}  // namespace berth
