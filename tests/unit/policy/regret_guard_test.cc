#include "policy/regret_guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "policy/fallback.h"
#include "support/captured_log.h"
#include "support/fake_scorer.h"
#include "support/small_case.h"
#include "support/views.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// A node on which SmallShare leaves F at 175 where it was 250 (the weights are those of
// support/small_case.h): only who wants two GPUs cannot use its one.
Node OneGpuNode() {
  Node node = SmallNode("one");
  node.free.gpus = {MilliGpu(0), MilliGpu(1000), MilliGpu(0), MilliGpu(0)};
  return node;
}

// A policy that likes the node of that name best.
ScorerPtr Likes(std::string node, std::string name) {
  return std::make_shared<FakeScorer>(
      std::move(name), [node](const ScoreRequest& request, std::span<float> scores) {
        for (size_t i = 0; i < scores.size(); ++i) {
          scores[i] = request.candidates[i]->name().value() == node ? 1 : 0;
        }
        return absl::OkStatus();
      });
}

// SmallShare adds 75 milli-GPU of fragmentation to "gap" and takes 75 from "one": the regret of
// choosing "gap" is 150.
class RegretGuardTest : public ::testing::Test {
 protected:
  ScorerPtr Guarded(ScorerPtr policy, ScorerPtr heuristic, double cap) {
    return MakeRegretGuard(std::move(policy), std::move(heuristic), cap, metrics_, log_.logger());
  }

  Result<Answer> Score(const Scorer& scorer) {
    const Demand demand = SmallShare();
    const std::vector<const Node*> candidates = AllNodes(*cluster_);
    scores_.assign(candidates.size(), -1);
    return scorer.Score({cluster_, demand, candidates}, scores_);
  }

  double Capped() {
    return metrics_
        .AddCounter("berth_policy_fallbacks_total", "",
                    {{"policy", "learned"}, {"cause", "regret"}})
        .Value();
  }

  CapturedLog log_;
  Metrics metrics_;
  ClusterViewPtr cluster_ = ViewOf({SmallNode("gap"), OneGpuNode()}, SmallProfile());
  std::vector<float> scores_;
};

TEST_F(RegretGuardTest, LetsTheHeuristicAnswerBeyondTheCapAndNotAtIt) {
  struct Case {
    const char* policy_likes;
    const char* heuristic_likes;
    double cap;
    bool capped;
  };
  const Case cases[] = {
      {"gap", "one", 149, true}, {"gap", "one", 150, false}, {"gap", "gap", 0, false},
      {"one", "gap", 0, false},  {"one", "one", 0, false},
  };
  for (const Case& c : cases) {
    const double before = Capped();
    const ScorerPtr scorer =
        Guarded(Likes(c.policy_likes, "learned"), Likes(c.heuristic_likes, "heuristic"), c.cap);
    EXPECT_EQ(Score(*scorer).value(),
              c.capped ? Answer("heuristic", Guard::kRegret) : Answer("learned"));
    const std::string answered = c.capped ? c.heuristic_likes : c.policy_likes;
    EXPECT_THAT(scores_, answered == "gap" ? ElementsAre(1, 0) : ElementsAre(0, 1));
    EXPECT_EQ(Capped() - before, c.capped ? 1 : 0);
  }
}

TEST_F(RegretGuardTest, BreaksTiesAsRankingsDo) {
  const ScorerPtr scorer =
      Guarded(ConstantScorer("learned", 5), Likes("one", "heuristic"), /*cap=*/100);
  EXPECT_EQ(Score(*scorer)->guard, Guard::kRegret) << "gap is the first by name";
}

TEST_F(RegretGuardTest, WarnsOfTheFirstInALongWhile) {
  const char* likes = "gap";
  const auto learned = std::make_shared<FakeScorer>(
      "learned", [&](const ScoreRequest& request, std::span<float> scores) {
        return Likes(likes, "learned")->Score(request, scores).status();
      });
  const ScorerPtr scorer = Guarded(learned, Likes("one", "heuristic"), 100);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(Score(*scorer).ok());
  ASSERT_THAT(log_.Lines(), SizeIs(1)) << "of three in a row the first is told";
  EXPECT_THAT(log_.Lines()[0], HasSubstr("warning"));
  EXPECT_THAT(log_.Lines()[0], HasSubstr("regret_milli_gpu=150 cap_milli_gpu=100"));

  likes = "one";
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(Score(*scorer).ok());
  likes = "gap";
  ASSERT_TRUE(Score(*scorer).ok());
  EXPECT_THAT(log_.Lines(), SizeIs(2)) << "a new one after a thousand good answers";
}

TEST_F(RegretGuardTest, ComparesNothingWhereAnotherGuardHasSteppedIn) {
  Metrics others;
  const ScorerPtr failing =
      MakeFallbackScorer(FailingScorer("learned", absl::InternalError("broken")),
                         Likes("gap", "heuristic"), others, log_.logger());
  const ScorerPtr never = FailingScorer("heuristic", absl::InternalError("who asked?"));
  EXPECT_EQ(Score(*Guarded(failing, never, 0)).value(), Answer("heuristic", Guard::kError));
}

TEST_F(RegretGuardTest, LeavesThePolicyAloneWhereThereIsNothingToCompare) {
  const ScorerPtr broken = FailingScorer("heuristic", absl::InternalError("broken"));
  EXPECT_EQ(Score(*Guarded(Likes("gap", "learned"), broken, 0)).value(), Answer("learned"));

  const Demand demand = SmallShare();
  const ScorerPtr scorer = Guarded(Likes("gap", "learned"), Likes("one", "heuristic"), 0);
  EXPECT_EQ(scorer->Score({cluster_, demand, {}}, {}).value(), Answer("learned"));
}

TEST_F(RegretGuardTest, FailsWithThePolicy) {
  const ScorerPtr failing = FailingScorer("learned", absl::InternalError("broken"));
  EXPECT_EQ(Score(*Guarded(failing, Likes("one", "heuristic"), 0)).status(),
            absl::InternalError("broken"));
}

}  // namespace
}  // namespace berth
