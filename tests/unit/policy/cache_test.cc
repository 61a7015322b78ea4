#include "policy/cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "support/fake_scorer.h"
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
    return ViewOf(std::move(nodes), SmallProfile(), context);
  }

  Metrics metrics_;
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

TEST_F(CacheTest, StatesThatNoNodeHasAnyMoreAreForgottenAndNothingElse) {
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
