#include "policy/choice_regret.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "policy/heuristics.h"
#include "support/fake_scorer.h"
#include "support/small_case.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The numbers are those of support/small_case.h.
TEST(ChoiceRegret, IsWhatTheOneFragmentsMoreThanTheOther) {
  const Node node = SmallNode();
  const Choice breaks_one{&node, {1}};
  const Choice fills_a_gap{&node, {2}};
  const WorkloadProfilePtr profile = SmallProfile();
  const WorkloadProfile& mix = *profile;
  EXPECT_NEAR(AddedFragmentation(breaks_one, SmallShare(), mix), 500 - 575, 1e-9);
  EXPECT_NEAR(AddedFragmentation(fills_a_gap, SmallShare(), mix), 650 - 575, 1e-9);
  EXPECT_NEAR(ChoiceRegret(fills_a_gap, breaks_one, SmallShare(), mix), 150, 1e-9);
  EXPECT_NEAR(ChoiceRegret(breaks_one, fills_a_gap, SmallShare(), mix), -150, 1e-9);
  EXPECT_EQ(ChoiceRegret(breaks_one, breaks_one, SmallShare(), mix), 0);
}

TEST(ChoiceOn, IsThePolicysWhereGpusDiffer) {
  const Node node = SmallNode();
  const WorkloadProfilePtr profile = SmallProfile();
  const WorkloadProfile& mix = *profile;
  EXPECT_THAT(ChoiceOn(node, *MakeFgd(), SmallShare(), mix).gpus, ElementsAre(1));
  EXPECT_THAT(ChoiceOn(node, *MakeBestFit(), SmallShare(), mix).gpus, ElementsAre(2));
}

// A policy that counts how often it is asked about GPUs.
class Asked final : public Scorer {
 public:
  std::string_view name() const override { return "asked"; }
  Result<Answer> Score(const ScoreRequest&, std::span<float>) const override { return name(); }
  GpuSet ChooseGpus(const Node&, const Demand&, const WorkloadProfile&) const override {
    ++times;
    return {1};
  }

  mutable int times = 0;
};

TEST(ChoiceOn, AsksNobodyWhereThereIsOneWay) {
  const Node node = SmallNode();
  const Asked policy;
  Demand whole = SmallShare();
  whole.per_gpu = kWholeGpu;
  EXPECT_THAT(ChoiceOn(node, policy, whole, *SmallProfile()).gpus, ElementsAre(1));
  EXPECT_THAT(ChoiceOn(node, policy, {.cpu = MilliCpu(1000)}, *SmallProfile()).gpus, IsEmpty());
  EXPECT_EQ(policy.times, 0);
  ChoiceOn(node, policy, SmallShare(), *SmallProfile());
  EXPECT_EQ(policy.times, 1);
}

}  // namespace
}  // namespace berth
