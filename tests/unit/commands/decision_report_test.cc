#include "apps/berth/decision_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "policy/heuristics.h"
#include "support/fake_wall_clock.h"
#include "unit/decisions/decided.h"

namespace berth {
namespace {

using ::testing::HasSubstr;

// Made by best-fit, about a pod that wants 0.3 of a GPU.
PodDecisions Decided(std::vector<Node> nodes) {
  const Decision decision =
      Decide(MakeBestFit(), ViewOf(std::move(nodes), SmallProfile()), 7, FakeWallClock().Now());
  return {.count = 1, .last = RecordOf(decision)};
}

std::string Text(const PodDecisions& decisions, const ScorerPtr& heuristic) {
  const ExplainedDecision explained = ExplainDecision(decisions.last, *heuristic).value();
  return DecisionText(decisions, &explained, heuristic->name());
}

TEST(DecisionText, ReadsLikeThis) {
  const PodDecisions decisions =
      Decided({SmallNode("n1"), SmallNode("n2"), NodeWithCpu("n3", 30'000)});
  EXPECT_EQ(
      Text(decisions, MakeFgd()),
      R"(pod ml/7 (UID uid-7, of Job/train) asks for 0.3 of one GPU that Berth hands out, 4 CPU, 16384 MiB
decided 2026-03-01 12:00:00 UTC by best-fit 7, in 1.20 ms: request 7

node       n1, GPU 2 (one of 2 equal nodes)
before     1.7 of 4 GPUs (G2), 16 CPU, 65536 MiB free
after      1.4 of 4 GPUs (G2), 12 CPU, 49152 MiB free; fragmentation +0.075 GPUs
why        scored 86.562, the best of 3 nodes that could take the pod, of 3 looked at
runner-up  n3
           1.7 of 4 GPUs (G2), 30 CPU, 65536 MiB free; fragmentation +0.075 GPUs
           scored 81.094, 5.469 less
it lacked  nothing that is counted here: the score alone decided

fgd would have chosen n1, GPU 1 (one of 2 equal nodes); fragmentation -0.075 GPUs: 0.150 less
)");
}

TEST(DecisionText, SaysWhatElseIsKnown) {
  PodDecisions decisions = Decided({SmallNode("n1")});
  decisions.count = 3;
  decisions.last.guard = "berth was late";
  decisions.last.more_classes = 6;
  const std::string text = Text(decisions, MakeBestFit());
  EXPECT_THAT(text, HasSubstr("by best-fit, because berth was late, in 1.20 ms"));
  EXPECT_THAT(text, HasSubstr("the last of 3 about this pod in the log"));
  EXPECT_THAT(text, HasSubstr("runner-up  none"));
  EXPECT_THAT(text, HasSubstr("best-fit would have chosen the same"));
  EXPECT_THAT(text, HasSubstr("the best 1 of 7 kinds of nodes"));
}

TEST(DecisionText, SaysThatThereWasNoChoice) {
  const PodDecisions decisions = Decided({NodeWithCpu("n1", 0)});
  EXPECT_THAT(DecisionText(decisions, nullptr, "fgd"),
              HasSubstr("none of the 1 node looked at could take the pod"));
  EXPECT_FALSE(DecisionJson(decisions, nullptr, "fgd").contains("choice"));
}

TEST(DecisionJson, HasTheChoiceAndEveryClass) {
  const PodDecisions decisions = Decided({SmallNode("n1"), NodeWithCpu("n3", 30'000)});
  const ExplainedDecision explained = ExplainDecision(decisions.last, *MakeFgd()).value();
  const nlohmann::json json = DecisionJson(decisions, &explained, "fgd");
  EXPECT_EQ(json["time"], "2026-03-01 12:00:00 UTC");
  EXPECT_EQ(json["classes"].size(), 2u);
  EXPECT_EQ(json["choice"]["node"], "n1");
  EXPECT_EQ(json["choice"]["gpus"], nlohmann::json({2}));
  EXPECT_EQ(json["choice"]["freeAfter"]["gpuMilli"], nlohmann::json({200, 1000, 200, 0}));
  EXPECT_EQ(json["heuristic"]["policy"], "fgd");
  EXPECT_EQ(json["heuristic"]["gpus"], nlohmann::json({1}));
  EXPECT_EQ(json["runnerUp"]["node"], "n3");
}

}  // namespace
}  // namespace berth
