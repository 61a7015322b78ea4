#include "decisions/decision_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "policy/heuristics.h"
#include "unit/decisions/decided.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(DecisionRecord, KeepsOneOfEqualNodesAndHowManyThereAre) {
  Node full = SmallNode("d");
  full.free.cpu = MilliCpu(0);
  const ClusterViewPtr view =
      ViewOf({NodeWithCpu("a", 9'000), SmallNode("b"), SmallNode("c"), full}, SmallProfile());
  const Decision decision = Decide(MakeBestFit(), view, 7);
  const DecisionRecord record = RecordOf(decision);

  EXPECT_EQ(record.nodes, 4);
  EXPECT_EQ(record.feasible, 3);
  ASSERT_THAT(record.classes, SizeIs(2));
  EXPECT_EQ(record.classes[0].example.name().value(), "a") << "the tightest";
  EXPECT_EQ(record.classes[0].nodes, 1);
  EXPECT_EQ(record.classes[1].example.name().value(), "b");
  EXPECT_EQ(record.classes[1].nodes, 2);
  EXPECT_GT(record.classes[0].score, record.classes[1].score);
  EXPECT_THAT(record.gpus, ElementsAre(2));
  EXPECT_EQ(record.policy, "best-fit");
  EXPECT_EQ(record.more_classes, 0);
}

TEST(DecisionRecord, CountsNodesThatWereRefusedBeforeAndThoseThatAreNotKnown) {
  const ClusterViewPtr view = ViewOf({SmallNode("a")}, SmallProfile());
  Decision decision = Decide(MakeBestFit(), view, 7);
  decision.candidates.push_back(nullptr);
  decision.ranking = Rank(*MakeBestFit(), view, decision.demand, decision.candidates).value();
  decision.refused = 10;
  const DecisionRecord record = RecordOf(decision);
  EXPECT_EQ(record.nodes, 12);
  EXPECT_EQ(record.feasible, 1);
}

TEST(DecisionRecord, IsBoundedHoweverManyClassesThereAre) {
  const ClusterViewPtr view = ViewOf(DifferentNodes(100), SmallProfile());
  const DecisionRecord record = RecordOf(Decide(MakeBestFit(), view, 7));
  EXPECT_THAT(record.classes, SizeIs(64));
  EXPECT_EQ(record.more_classes, 36);
  EXPECT_EQ(record.classes[0].example.name().value(), "n1000");
}

TEST(DecisionRecord, WhereNothingFitsThereIsNoChoice) {
  const ClusterViewPtr view = ViewOf({NodeWithCpu("a", 0)}, SmallProfile());
  const DecisionRecord record = RecordOf(Decide(MakeBestFit(), view, 7));
  EXPECT_EQ(record.nodes, 1);
  EXPECT_THAT(record.classes, SizeIs(0));
  EXPECT_THAT(record.gpus, SizeIs(0));
}

TEST(DecisionRecord, AChoiceOfGpusThatCannotBeIsBestFitsInstead) {
  const ClusterViewPtr view = ViewOf({SmallNode("a")}, SmallProfile());
  for (const GpuSet& wrong : {GpuSet{}, GpuSet{0}, GpuSet{9}, GpuSet{1, 2}}) {
    const auto policy =
        std::make_shared<const FixedGpus>([&](const Node&, const Demand&) { return wrong; });
    EXPECT_THAT(RecordOf(Decide(policy, view, 7)).gpus, ElementsAre(2));
  }
}

}  // namespace
}  // namespace berth
