#include "apps/berth/replay_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "apps/berth/serving_policy.h"
#include "policy/heuristics.h"
#include "support/captured_log.h"
#include "support/fake_wall_clock.h"
#include "unit/decisions/decided.h"

namespace berth {
namespace {

using ::testing::HasSubstr;

DecisionReplay OfTwoKinds() {
  DecisionReplay replay;
  replay.kinds[PodKind::kSmallShare] = {3, 1, {0, 0, -300}};
  replay.kinds[PodKind::kOneGpu] = {1, 0, {0}};
  replay.policies = {{"fgd-bestfit", 3}, {"best-fit", 1}};
  replay.first = FakeWallClock().Now();
  replay.last = replay.first + std::chrono::hours(1);
  return replay;
}

TEST(ReplayText, ReadsLikeThis) {
  DecisionReplay replay = OfTwoKinds();
  replay.without_node = 2;
  replay.cut = 1;
  replay.guarded = 1;
  EXPECT_EQ(
      ReplayText(replay, "berth"),
      R"(4 decisions from 2026-03-01 12:00:00 UTC to 2026-03-01 13:00:00 UTC, made by best-fit (1) fgd-bestfit (3), and what berth would have done

PODS                  DECISIONS      OTHER NODES  MORE FRAGMENTATION, GPUS PER DECISION
less than half a GPU          3        1   33.3%  -0.10000 +- 0.10000
one GPU                       1        0    0.0%  +0.00000 +- 0.00000
all                           4        1   25.0%  -0.07500 +- 0.07500

2 more found no node that could take the pod.
Of 1 the log has only the best 64 kinds of nodes; berth saw no others.
1 were answered by another policy than the one in charge.
)");
}

TEST(ReplayText, SaysThatThereIsNothing) {
  EXPECT_EQ(ReplayText({}, "berth"), "no decision to replay\n");
}

TEST(ReplayJson, HasALineForEachKind) {
  const nlohmann::json json = ReplayJson(OfTwoKinds(), "berth");
  EXPECT_EQ(json["policy"], "berth");
  EXPECT_EQ(json["madeBy"]["best-fit"], 1);
  EXPECT_EQ(json["kinds"].size(), 3u);
  EXPECT_EQ(json["kinds"][0]["moreFragmentationGpuMilli"], -100);
  EXPECT_EQ(json["kinds"][2]["pods"], "all");
  EXPECT_EQ(json["kinds"][2]["decisions"], 4);
}

// Scored in batches of other sizes than when it was logged.
TEST(DecisionReplay, OfATorchPolicyThatMadeTheLogDiffersNowhere) {
  CapturedLog log;
  PolicyProbation probation([](const PolicyFile&) { return ProbeReport(); });
  const ScorerPtr policy =
      LoadPolicy(BERTH_SOURCE_DIR "/policies/fgd-bestfit", probation, log.logger()).value().scorer;
  const ClusterViewPtr view = ViewOf(DifferentNodes(200), SmallProfile(), {.gpu_load_bucket = 9});
  DecisionReplay replay;
  for (const int64_t share : {100, 250, 300, 500, 1000}) {
    Demand demand = SmallShare();
    demand.per_gpu = MilliGpu(share);
    const Decision decision = Decide(policy, view, 1, {}, demand);
    EXPECT_TRUE(replay.Add(RecordOf(decision), *policy).ok());
  }
  const nlohmann::json all = ReplayJson(replay, "fgd-bestfit")["kinds"].back();
  EXPECT_EQ(all["decisions"], 5);
  EXPECT_EQ(all["differ"], 0);
  EXPECT_EQ(all["moreFragmentationGpuMilli"], 0);
}

}  // namespace
}  // namespace berth
