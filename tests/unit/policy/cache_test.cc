#include "policy/cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "cluster/feasibility.h"
#include "policy/heuristics.h"
#include "policy/recent.h"
#include "policy/score_row.h"
#include "support/fake_scorer.h"
#include "support/random_placements.h"
#include "support/small_case.h"
#include "support/views.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Node NodeWithCpu(const std::string& name, int64_t cores) {
  NodeSpec spec{.name = NodeName(name), .cpu = MilliCpu(cores * 1000)};
  return {.spec = std::make_shared<const NodeSpec>(spec), .free = IdleState(spec)};
}

Demand Cpu(int64_t cores) { return {.cpu = MilliCpu(cores * 1000)}; }

// The inner policy gives the free cores less those asked for, and notes whom it was asked about.
class CacheTest : public ::testing::Test {
 protected:
  ScorerPtr Cached(size_t max_classes = 10) {
    auto inner = std::make_shared<FakeScorer>(
        "inner", [this](const ScoreRequest& request, std::span<float> scores) {
          for (size_t i = 0; i < scores.size(); ++i) {
            const Node& node = *request.candidates[i];
            asked_.push_back(node.name().value());
            scores[i] = static_cast<float>((node.free.cpu - request.demand.cpu).value() / 1000);
          }
          return answer_;
        });
    return MakeCachedScorer(std::move(inner), max_classes, metrics_);
  }

  std::vector<float> Score(const Scorer& scorer, const ClusterViewPtr& view,
                           const Demand& demand = Cpu(1)) {
    asked_.clear();
    const std::vector<const Node*> candidates = AllNodes(*view);
    std::vector<float> scores(candidates.size(), -1);
    answered_ = scorer.Score({view, demand, candidates}, scores).ok();
    return scores;
  }

  ClusterViewPtr View(std::vector<Node> nodes, ClusterContext context = {}) {
    return ViewOf(std::move(nodes), profile_, context);
  }

  Metrics metrics_;
  WorkloadProfilePtr profile_ = SmallProfile();
  Status answer_;
  std::vector<std::string> asked_;
  bool answered_ = false;
};

TEST_F(CacheTest, OnlyWhatHasChangedIsScoredAnew) {
  const ScorerPtr scorer = Cached();
  const ClusterViewPtr before = View({NodeWithCpu("a", 4), NodeWithCpu("b", 8)});
  EXPECT_THAT(Score(*scorer, before), ElementsAre(3, 7));
  EXPECT_THAT(asked_, ElementsAre("a", "b"));

  EXPECT_THAT(Score(*scorer, before), ElementsAre(3, 7));
  EXPECT_THAT(asked_, IsEmpty());

  const ClusterViewPtr after = View({*before->Find("a"), NodeWithCpu("b", 6)});
  EXPECT_THAT(Score(*scorer, after), ElementsAre(3, 5));
  EXPECT_THAT(asked_, ElementsAre("b"));
}

TEST_F(CacheTest, EachDemandAndContextIsAQuestionOfItsOwn) {
  const ScorerPtr scorer = Cached();
  const Node node = *View({NodeWithCpu("a", 4)})->nodes()[0];
  EXPECT_THAT(Score(*scorer, View({node}), Cpu(1)), ElementsAre(3));
  EXPECT_THAT(Score(*scorer, View({node}), Cpu(2)), ElementsAre(2));
  EXPECT_THAT(asked_, ElementsAre("a"));
  Score(*scorer, View({node}, {.gpu_load_bucket = 3}), Cpu(1));
  EXPECT_THAT(asked_, ElementsAre("a"));
  Score(*scorer, View({node}), Cpu(1));
  EXPECT_THAT(asked_, IsEmpty());
}

TEST_F(CacheTest, AnotherFleetAndWhetherPodsLeaveIsAnotherQuestion) {
  const ScorerPtr scorer = Cached();
  const Node node = *View({NodeWithCpu("a", 4)})->nodes()[0];
  const WorkloadProfilePtr first = profile_;
  const auto asks_anew = [&](const WorkloadProfile& profile) {
    profile_ = std::make_shared<const WorkloadProfile>(profile);
    Score(*scorer, View({node}));
    return !asked_.empty();
  };
  EXPECT_TRUE(asks_anew(*first));
  EXPECT_FALSE(asks_anew(*first)) << "a copy is the same profile";
  EXPECT_TRUE(asks_anew(first->WithDepartures(false)));
  EXPECT_TRUE(asks_anew(first->On({.gpus = {}, .cpu = MilliCpu(1)})));
  EXPECT_FALSE(asks_anew(*first)) << "the first is still remembered";
}

TEST_F(CacheTest, TheDemandAskedAboutLongestAgoLeaves) {
  const ScorerPtr scorer = Cached(2);
  const ClusterViewPtr view = View({NodeWithCpu("a", 4)});
  Score(*scorer, view, Cpu(1));
  Score(*scorer, view, Cpu(2));
  Score(*scorer, view, Cpu(1));
  Score(*scorer, view, Cpu(3));  // instead of Cpu(2)
  Score(*scorer, view, Cpu(1));
  EXPECT_THAT(asked_, IsEmpty());
  Score(*scorer, view, Cpu(2));
  EXPECT_THAT(asked_, ElementsAre("a"));
}

TEST_F(CacheTest, ANodeThatKeepsChangingPushesNothingElseOut) {
  const ScorerPtr scorer = Cached();
  const ClusterViewPtr first = View({NodeWithCpu("a", 4), NodeWithCpu("b", 8)});
  Score(*scorer, first);
  const Node stays = *first->Find("a");
  for (int cores = 1; cores < 200; ++cores) {
    const ClusterViewPtr view = View({stays, NodeWithCpu("b", cores)});
    EXPECT_THAT(Score(*scorer, view), ElementsAre(3, cores - 1));
    EXPECT_THAT(asked_, ElementsAre("b"));
  }
}

TEST_F(CacheTest, FailuresAndScoresThatAreNotFiniteAreNotRemembered) {
  const ScorerPtr scorer = Cached();
  const ClusterViewPtr view = View({NodeWithCpu("a", 4)});
  answer_ = absl::InternalError("broken");
  Score(*scorer, view);
  EXPECT_FALSE(answered_);
  answer_ = {};
  EXPECT_THAT(Score(*scorer, view), ElementsAre(3));
  EXPECT_THAT(asked_, ElementsAre("a"));

  int calls = 0;
  const ScorerPtr sick = MakeCachedScorer(
      std::make_shared<FakeScorer>("sick",
                                   [&](const ScoreRequest&, std::span<float> scores) {
                                     ++calls;
                                     scores[0] = std::numeric_limits<float>::quiet_NaN();
                                     return absl::OkStatus();
                                   }),
      10, metrics_);
  Score(*sick, view);
  Score(*sick, view);
  EXPECT_EQ(calls, 2);
}

// Against a policy that is asked every time: pods come and go, nodes come with the slots of others
// that went, more demands than are remembered are asked about, contexts and profiles change.
TEST_F(CacheTest, GivesWhatThePolicyItselfGives) {
  Rng rng(11);
  const ScorerPtr fgd = MakeFgd();
  const ScorerPtr cached = MakeCachedScorer(fgd, 4, metrics_);
  const WorkloadProfilePtr profiles[] = {
      std::make_shared<const WorkloadProfile>("one", RandomProfile(rng, 30)->classes()),
      std::make_shared<const WorkloadProfile>("other", RandomProfile(rng, 30)->classes())};
  std::vector<Demand> demands;
  for (int i = 0; i < 8; ++i) demands.push_back(RandomDemand(rng));
  std::vector<Node> nodes = RandomNodes(rng, 30);
  ClusterViewPtr view;
  for (int i = 0; i < 2'000; ++i) {
    const auto changing = static_cast<size_t>(Uniform(rng, 0, 29));
    const NodeName name = nodes[changing].name();
    const bool replaced = Uniform(rng, 0, 9) == 0;
    nodes[changing] = RandomNode(rng, replaced ? "new-" + std::to_string(i) : name.value());
    const int load = static_cast<int>(Uniform(rng, 0, 1));
    view = ViewOf(nodes, profiles[Uniform(rng, 0, 1)], {.gpu_load_bucket = load});
    nodes.clear();
    for (const Node* node : AllNodes(*view)) nodes.push_back(*node);
    const Demand& demand = demands[static_cast<size_t>(Uniform(rng, 0, 7))];
    std::vector<const Node*> candidates;
    for (const Node* node : AllNodes(*view)) {
      const bool fits = CheckFit(*node, demand) == Refusal::kNone;
      if (fits && Uniform(rng, 0, 3) > 0) candidates.push_back(node);
    }
    std::vector<float> expected(candidates.size()), scores(candidates.size());
    ASSERT_TRUE(fgd->Score({view, demand, candidates}, expected).ok());
    ASSERT_TRUE(cached->Score({view, demand, candidates}, scores).ok());
    ASSERT_EQ(scores, expected);
  }
}

TEST(Recent, KeepsWhatWasAskedAboutLast) {
  Recent<int, std::string> recent(2);
  recent[1] = "one";
  recent[2] = "two";
  EXPECT_EQ(recent[1], "one");
  recent[3] = "three";  // instead of 2
  EXPECT_EQ(recent[1], "one");
  EXPECT_EQ(recent[3], "three");
  EXPECT_EQ(recent[2], "");
  EXPECT_EQ(recent.size(), 2u);
  recent.Forget(3);
  recent.Forget(1);  // has left
  EXPECT_EQ(recent.size(), 1u);
  EXPECT_EQ(recent[3], "");
  recent.Clear();
  EXPECT_EQ(recent.size(), 0u);
}

TEST(ScoreRow, KnowsANodeInTheStateThatWasScoredAndNoOther) {
  ScoreRow row;
  Node node{.generation = 7, .slot = 3};
  EXPECT_FALSE(row.Knows(node));
  row.Set(node, 0.5);
  EXPECT_TRUE(row.Knows(node));
  EXPECT_THAT(row.scores(), ElementsAre(0, 0, 0, 0.5));
  node.generation = 8;
  EXPECT_FALSE(row.Knows(node));
  const Node without_generation{.slot = 1};
  row.Set(without_generation, 0.5);
  EXPECT_FALSE(row.Knows(without_generation));
}

TEST_F(CacheTest, CountsWhatItRemembered) {
  const ScorerPtr scorer = Cached();
  const ClusterViewPtr view = View({NodeWithCpu("a", 4), NodeWithCpu("b", 8)});
  Score(*scorer, view);
  Score(*scorer, view);
  const auto count = [&](const std::string& source) {
    return metrics_
        .AddCounter("berth_policy_scores_total", "", {{"policy", "inner"}, {"source", source}})
        .Value();
  };
  EXPECT_EQ(count("model"), 2);
  EXPECT_EQ(count("cache"), 2);
}

}  // namespace
}  // namespace berth
