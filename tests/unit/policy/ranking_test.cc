#include "policy/ranking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "support/fake_scorer.h"
#include "support/small_case.h"
#include "support/views.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Node FullNode(std::string name) {
  Node node = SmallNode(std::move(name));
  node.free.cpu = MilliCpu(0);
  return node;
}

// Nodes a, b, c and d, of which `c` and `d` are full.
class RankTest : public ::testing::Test {
 protected:
  const Node* Find(const char* name) const { return cluster_->Find(name); }

  // Scores by node name.
  static FakeScorer Scores(std::map<std::string, float> by_name) {
    return FakeScorer("table", [=](const ScoreRequest& request, std::span<float> scores) {
      for (size_t i = 0; i < scores.size(); ++i) {
        scores[i] = by_name.at(request.candidates[i]->name().value());
      }
      return absl::OkStatus();
    });
  }

  Result<Ranking> RankBy(const Scorer& scorer, std::vector<const Node*> candidates) const {
    return Rank(scorer, cluster_, SmallShare(), candidates);
  }

  const ClusterViewPtr cluster_ =
      ViewOf({SmallNode("a"), SmallNode("b"), FullNode("c"), FullNode("d")}, SmallProfile());
};

TEST_F(RankTest, PutsTheBestFirstThenWhatDoesNotFitThenWhatIsUnknown) {
  const FakeScorer scorer = Scores({{"a", 1}, {"b", 2}});
  const auto ranking =
      RankBy(scorer, {nullptr, Find("d"), Find("a"), Find("c"), Find("b"), nullptr});
  ASSERT_TRUE(ranking.ok()) << ranking.status();
  EXPECT_THAT(ranking->order, ElementsAre(4, 2, 3, 1, 0, 5));
  EXPECT_EQ(ranking->feasible, 2u);
  EXPECT_EQ(ranking->unknown, 2u);
  EXPECT_THAT(ranking->scores, ElementsAre(2, 1));
  EXPECT_EQ(ranking->policy, "table");
}

TEST_F(RankTest, BreaksTiesByNodeName) {
  const FakeScorer scorer = Scores({{"a", 7}, {"b", 7}});
  EXPECT_THAT(RankBy(scorer, {Find("b"), Find("a")})->order, ElementsAre(1, 0));
  EXPECT_THAT(RankBy(scorer, {Find("a"), Find("b")})->order, ElementsAre(0, 1));
}

TEST_F(RankTest, DoesNotSeeDifferencesFinerThanTheGrid) {
  const FakeScorer rounding = Scores({{"a", 1.0f}, {"b", 1.0004f}});
  EXPECT_THAT(RankBy(rounding, {Find("b"), Find("a")})->order, ElementsAre(1, 0));
  const FakeScorer real = Scores({{"a", 1.0f}, {"b", 1.001f}});
  EXPECT_THAT(RankBy(real, {Find("b"), Find("a")})->order, ElementsAre(0, 1));
}

TEST_F(RankTest, AsksThePolicyOnlyAboutNodesThatFit) {
  const Clock::TimePoint deadline(std::chrono::seconds(5));
  const FakeScorer scorer("curious", [&](const ScoreRequest& request, std::span<float> scores) {
    EXPECT_THAT(request.candidates, ElementsAre(Find("b")));
    EXPECT_EQ(request.cluster, cluster_);
    EXPECT_EQ(request.deadline, deadline);
    scores[0] = 0;
    return absl::OkStatus();
  });
  const std::vector<const Node*> candidates = {Find("c"), Find("b"), nullptr};
  EXPECT_TRUE(Rank(scorer, cluster_, SmallShare(), candidates, deadline).ok());
}

TEST_F(RankTest, NeedsNoPolicyWhenNothingFits) {
  const ScorerPtr broken = FailingScorer("broken", absl::InternalError("asked"));
  const auto ranking = RankBy(*broken, {Find("c"), nullptr});
  ASSERT_TRUE(ranking.ok()) << ranking.status();
  EXPECT_EQ(ranking->feasible, 0u);
  EXPECT_EQ(ranking->policy, "");
  EXPECT_THAT(ranking->order, ElementsAre(0, 1));
  EXPECT_THAT(RankBy(*broken, {})->order, IsEmpty());
}

TEST_F(RankTest, FailsWithThePolicy) {
  const ScorerPtr broken = FailingScorer("broken", absl::InternalError("no luck"));
  EXPECT_EQ(RankBy(*broken, {Find("a")}).status(), absl::InternalError("no luck"));
  for (float score : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
    const auto ranking = RankBy(*ConstantScorer("wild", score), {Find("a"), Find("b")});
    EXPECT_EQ(ranking.status().code(), absl::StatusCode::kInternal);
    EXPECT_THAT(std::string(ranking.status().message()), HasSubstr("wild"));
  }
}

TEST_F(RankTest, HasTheFirstThatItWouldFindAlone) {
  const std::vector<const Node*> candidates = {Find("b"), Find("a")};
  const std::vector<float> cases[] = {{1, 2},      {2, 1},      {1, 1},     {-5, -5},
                                      {1, 1.0001}, {1.0001, 1}, {1, 1.001}, {1.001, 1}};
  for (const std::vector<float>& scores : cases) {
    const auto ranking = RankBy(Scores({{"b", scores[0]}, {"a", scores[1]}}), candidates);
    EXPECT_EQ(FirstInRanking(candidates, scores), ranking->order.front())
        << scores[0] << ", " << scores[1];
  }
}

TEST(OnScoreGrid, IsTheNearestMultiple) {
  EXPECT_EQ(OnScoreGrid(0), 0);
  EXPECT_EQ(OnScoreGrid(0.0004f), 0);
  EXPECT_EQ(OnScoreGrid(-0.0006f), -1.0f / 1024);
  EXPECT_EQ(OnScoreGrid(50), 50);
  EXPECT_EQ(OnScoreGrid(std::numeric_limits<float>::max()), std::numeric_limits<float>::max());
}

}  // namespace
}  // namespace berth
