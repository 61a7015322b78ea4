#include "decisions/decision_replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "decisions/decision_reader.h"
#include "decisions/decision_store.h"
#include "policy/heuristics.h"
#include "support/fake_scorer.h"
#include "support/fake_wall_clock.h"
#include "support/temp_directory.h"
#include "unit/decisions/decided.h"

namespace berth {
namespace {

using ::testing::DoubleEq;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr Demand kNoGpu{.cpu = MilliCpu(2'000), .memory = MiB(1'024)};

std::vector<Demand> SomeDemands() {
  Demand whole = SmallShare();
  whole.per_gpu = kWholeGpu;
  Demand half = SmallShare();
  half.per_gpu = MilliGpu(500);
  return {SmallShare(), whole, half, kNoGpu};
}

// What a log gives back of decisions that `policy` made.
std::vector<DecisionRecord> Logged(const ScorerPtr& policy, const ClusterViewPtr& view) {
  const TempDirectory directory;
  const std::string file = directory.path() / "decisions.db";
  DecisionStore store = DecisionStore::Open(file, {}).value();
  std::vector<DecisionRecord> records;
  const FakeWallClock clock;
  for (const Demand& demand : SomeDemands()) {
    const Decision decision = Decide(policy, view, records.size(), clock.Now(), demand);
    records.push_back(RecordOf(decision));
  }
  EXPECT_TRUE(store.Append(records, clock.Now()).ok());
  return DecisionReader::Open(file)->Next(100).value();
}

DecisionReplay ReplayOf(const std::vector<DecisionRecord>& records, const Scorer& policy) {
  DecisionReplay replay;
  for (const DecisionRecord& record : records) {
    const Status status = replay.Add(record, policy);
    EXPECT_TRUE(status.ok()) << status;
  }
  return replay;
}

TEST(DecisionReplay, OfThePolicyThatMadeTheLogDiffersNowhere) {
  const ClusterViewPtr view = ViewOf(DifferentNodes(90), SmallProfile(), {.gpu_load_bucket = 9});
  for (const std::string_view name : HeuristicNames()) {
    const ScorerPtr policy = MakeHeuristic(name).value();
    const DecisionReplay replay = ReplayOf(Logged(policy, view), *policy);
    EXPECT_EQ(replay.policies.at(std::string(name)), 4);
    EXPECT_EQ(replay.cut, 4) << "90 kinds of nodes are more than are logged";
    for (const auto& [kind, numbers] : replay.kinds) {
      EXPECT_EQ(numbers.differ, 0) << name;
      EXPECT_THAT(numbers.more_fragmentation, Each(0.0)) << name;
    }
  }
}

TEST(DecisionReplay, CountsWhatAnotherPolicyWouldHaveDone) {
  // best-fit takes "a"; spread takes "b", where the share breaks into an unused GPU.
  Node other = NodeWithCpu("b", 30'000);
  other.free.gpus = {MilliGpu(1000), MilliGpu(1000), MilliGpu(1000), MilliGpu(1000)};
  const ClusterViewPtr view = ViewOf({SmallNode("a"), other}, SmallProfile());
  const std::vector<DecisionRecord> records = Logged(MakeBestFit(), view);
  const DecisionReplay replay = ReplayOf(records, *MakeSpread());
  const DecisionReplay::Kind& shares = replay.kinds.at(PodKind::kSmallShare);
  EXPECT_EQ(shares.decisions, 1);
  EXPECT_EQ(shares.differ, 1);
  // On "b" a quarter of the pods, which want two whole GPUs, cannot use the 700 that stay: 175. On
  // "a" it was 75 (support/small_case.h).
  EXPECT_THAT(shares.more_fragmentation, ElementsAre(DoubleEq(100)));
  EXPECT_EQ(replay.cut, 0);
}

TEST(DecisionReplay, LeavesOutWhatFoundNoNode) {
  const ClusterViewPtr view = ViewOf({NodeWithCpu("a", 0)}, SmallProfile());
  const DecisionReplay replay = ReplayOf(Logged(MakeBestFit(), view), *MakeFgd());
  EXPECT_EQ(replay.without_node, 4);
  EXPECT_TRUE(replay.kinds.empty());
}

TEST(DecisionReplay, TellsAPolicysError) {
  const ClusterViewPtr view = ViewOf({SmallNode("a")}, SmallProfile());
  const std::vector<DecisionRecord> records = Logged(MakeBestFit(), view);
  DecisionReplay replay;
  const Status status =
      replay.Add(records.front(), *FailingScorer("broken", absl::InternalError("it is broken")));
  EXPECT_THAT(std::string(status.message()), HasSubstr("it is broken"));
}

}  // namespace
}  // namespace berth
