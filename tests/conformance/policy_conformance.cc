#include "policy_conformance.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include "cluster/feasibility.h"
#include "policy/ranking.h"
#include "support/random_placements.h"
#include "support/views.h"

namespace berth {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// What batch sizes may change: less than a tenth of the grid on which scores are compared.
constexpr float kTolerance = kScoreGrid / 10;

// A random cluster and a pod.
struct Situation {
  Situation(uint64_t seed, size_t nodes) {
    Rng rng(seed);
    profile = std::make_shared<const WorkloadProfile>(
        RandomProfile(rng, 40)->WithDepartures(Uniform(rng, 0, 1) == 1));
    context = {.gpu_load_bucket = static_cast<int>(Uniform(rng, 0, 16))};
    cluster = ViewOf(RandomNodes(rng, nodes), profile, context);
    demand = RandomDemand(rng);
    for (const Node* node : AllNodes(*cluster)) {
      if (CheckFit(*node, demand) == Refusal::kNone) feasible.push_back(node);
    }
  }

  WorkloadProfilePtr profile;
  ClusterContext context;
  ClusterViewPtr cluster;
  Demand demand;
  std::vector<const Node*> feasible;
};

// Calls `check` with situations in which some nodes can take the pod.
template <class Check>
void InSeveralSituations(Check check) {
  constexpr size_t kNodes = 60;
  int checked = 0;
  for (uint64_t seed = 1; checked < 12 && !testing::Test::HasFailure(); ++seed) {
    const Situation situation(seed, kNodes);
    if (situation.feasible.size() < 3) continue;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    check(situation);
    ++checked;
  }
}

std::vector<const Node*> Shuffled(std::vector<const Node*> nodes, uint64_t seed) {
  Rng rng(seed);
  std::ranges::shuffle(nodes, rng);
  return nodes;
}

float ScoreOf(const Node* node, const std::vector<const Node*>& nodes,
              const std::vector<float>& scores) {
  return scores[static_cast<size_t>(std::ranges::find(nodes, node) - nodes.begin())];
}

// The situation's cluster with every node twice, once as NAME and once as NAME-twin.
ClusterViewPtr WithTwins(const Situation& situation) {
  std::vector<Node> nodes;
  for (const Node* node : AllNodes(*situation.cluster)) {
    nodes.push_back(*node);
    NodeSpec twin = *node->spec;
    twin.name = NodeName(node->name().value() + "-twin");
    nodes.push_back({.spec = std::make_shared<const NodeSpec>(twin), .free = node->free});
  }
  return ViewOf(std::move(nodes), situation.profile, situation.context);
}

}  // namespace

std::vector<float> PolicyConformance::ScoresOf(const ClusterViewPtr& cluster, const Demand& demand,
                                               const std::vector<const Node*>& candidates) const {
  std::vector<float> scores(candidates.size(), std::numeric_limits<float>::quiet_NaN());
  const auto answered = policy_->Score({cluster, demand, candidates}, scores);
  EXPECT_TRUE(answered.ok()) << answered.status();
  EXPECT_FALSE(answered.value_or(Answer("")).policy.empty());
  EXPECT_TRUE(std::ranges::all_of(scores, [](float score) { return std::isfinite(score); }));
  return scores;
}

TEST_P(PolicyConformance, HasAName) { EXPECT_FALSE(policy_->name().empty()); }

TEST_P(PolicyConformance, GivesTheSameFiniteScoresEveryTime) {
  InSeveralSituations([&](const Situation& s) {
    EXPECT_EQ(ScoresOf(s.cluster, s.demand, s.feasible), ScoresOf(s.cluster, s.demand, s.feasible));
  });
}

TEST_P(PolicyConformance, ScoresANodeTheSameInAnyOrder) {
  InSeveralSituations([&](const Situation& s) {
    const std::vector<float> scores = ScoresOf(s.cluster, s.demand, s.feasible);
    const std::vector<const Node*> shuffled = Shuffled(s.feasible, 1);
    const std::vector<float> others = ScoresOf(s.cluster, s.demand, shuffled);
    for (size_t i = 0; i < scores.size(); ++i) {
      EXPECT_NEAR(ScoreOf(s.feasible[i], shuffled, others), scores[i], kTolerance);
    }
  });
}

TEST_P(PolicyConformance, ScoresANodeTheSameAmongFewerOthersAndAlone) {
  InSeveralSituations([&](const Situation& s) {
    const std::vector<float> scores = ScoresOf(s.cluster, s.demand, s.feasible);
    std::vector<const Node*> half = Shuffled(s.feasible, 2);
    half.resize((half.size() + 1) / 2);
    const std::vector<float> of_half = ScoresOf(s.cluster, s.demand, half);
    for (size_t i = 0; i < half.size(); ++i) {
      EXPECT_NEAR(of_half[i], ScoreOf(half[i], s.feasible, scores), kTolerance);
    }
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(ScoresOf(s.cluster, s.demand, {s.feasible[i]})[0], scores[i], kTolerance);
    }
  });
}

TEST_P(PolicyConformance, ScoresANodeTheSameWhenItComesSeveralTimes) {
  InSeveralSituations([&](const Situation& s) {
    std::vector<const Node*> repeated = s.feasible;
    repeated.insert(repeated.end(), s.feasible.begin(), s.feasible.end());
    repeated.insert(repeated.begin() + 1, s.feasible.front());
    const std::vector<float> scores = ScoresOf(s.cluster, s.demand, s.feasible);
    const std::vector<float> of_repeated = ScoresOf(s.cluster, s.demand, repeated);
    for (size_t i = 0; i < repeated.size(); ++i) {
      EXPECT_NEAR(of_repeated[i], ScoreOf(repeated[i], s.feasible, scores), kTolerance);
    }
  });
}

TEST_P(PolicyConformance, ScoresANodeTheSameWhateverElseIsInTheCluster) {
  InSeveralSituations([&](const Situation& s) {
    const ClusterViewPtr alone = ViewOf({*s.feasible[0]}, s.profile, s.context);
    EXPECT_NEAR(ScoresOf(alone, s.demand, AllNodes(*alone))[0],
                ScoresOf(s.cluster, s.demand, s.feasible)[0], kTolerance);
  });
}

TEST_P(PolicyConformance, ScoresEqualNodesEqualAndRanksThemByName) {
  InSeveralSituations([&](const Situation& s) {
    const ClusterViewPtr cluster = WithTwins(s);
    const std::vector<const Node*> candidates = Shuffled(AllNodes(*cluster), 3);
    const auto ranking = Rank(*policy_, cluster, s.demand, candidates);
    ASSERT_TRUE(ranking.ok()) << ranking.status();
    ASSERT_EQ(ranking->feasible, 2 * s.feasible.size());
    const auto place = [&](const std::string& name) {
      return std::ranges::find(ranking->order, cluster->Find(name),
                               [&](uint32_t i) { return candidates[i]; }) -
             ranking->order.begin();
    };
    for (const Node* node : s.feasible) {
      const auto original = place(node->name().value());
      const auto twin = place(node->name().value() + "-twin");
      EXPECT_LT(original, twin) << node->name().value();
      EXPECT_EQ(ranking->scores[original], ranking->scores[twin]);
    }
  });
}

TEST_P(PolicyConformance, NeverLetsAnInfeasibleNodeWin) {
  InSeveralSituations([&](const Situation& s) {
    std::vector<const Node*> candidates = AllNodes(*s.cluster);
    candidates.push_back(nullptr);
    candidates = Shuffled(std::move(candidates), 4);
    const auto ranking = Rank(*policy_, s.cluster, s.demand, candidates);
    ASSERT_TRUE(ranking.ok()) << ranking.status();
    EXPECT_EQ(ranking->feasible, s.feasible.size());
    EXPECT_EQ(ranking->unknown, 1u);
    ASSERT_THAT(ranking->order, SizeIs(candidates.size()));
    for (size_t i = 0; i + 1 < candidates.size(); ++i) {
      const bool fits = CheckFit(*candidates[ranking->order[i]], s.demand) == Refusal::kNone;
      EXPECT_EQ(fits, i < ranking->feasible) << "place " << i;
    }
    EXPECT_TRUE(std::ranges::is_sorted(ranking->scores, std::greater<>()));
  });
}

TEST_P(PolicyConformance, RanksTheSameInAnyOrderOfCandidates) {
  InSeveralSituations([&](const Situation& s) {
    const auto names_by_rank = [&](const std::vector<const Node*>& candidates) {
      const auto ranking = Rank(*policy_, s.cluster, s.demand, candidates);
      EXPECT_TRUE(ranking.ok()) << ranking.status();
      std::vector<std::string> names;
      for (uint32_t i : ranking->order) names.push_back(candidates[i]->name().value());
      return names;
    };
    const std::vector<const Node*> all = AllNodes(*s.cluster);
    EXPECT_EQ(names_by_rank(all), names_by_rank(Shuffled(all, 5)));
  });
}

TEST_P(PolicyConformance, ChoosesGpusThatFit) {
  InSeveralSituations([&](const Situation& s) {
    for (const Node* node : s.feasible) {
      const GpuSet gpus = policy_->ChooseGpus(*node, s.demand, *s.profile);
      ASSERT_EQ(gpus.size(), static_cast<size_t>(s.demand.gpus));
      EXPECT_TRUE(std::ranges::is_sorted(gpus, std::less_equal<>())) << "ascending, no repeats";
      for (uint8_t gpu : gpus) {
        ASSERT_LT(gpu, node->free.gpus.size());
        EXPECT_GE(node->free.gpus[gpu], s.demand.per_gpu);
      }
      EXPECT_EQ(gpus, policy_->ChooseGpus(*node, s.demand, *s.profile)) << "the same every time";
    }
  });
}

TEST_P(PolicyConformance, TakesNoCandidatesAndOne) {
  const Situation s(1, 20);
  EXPECT_THAT(ScoresOf(s.cluster, s.demand, {}), IsEmpty());
  ASSERT_FALSE(s.feasible.empty());
  const std::vector<const Node*> one = {s.feasible[0]};
  const auto ranking = Rank(*policy_, s.cluster, s.demand, one);
  ASSERT_TRUE(ranking.ok()) << ranking.status();
  EXPECT_THAT(ranking->order, ElementsAre(0));
}

TEST_P(PolicyConformance, TakesTenThousandCandidates) {
  const Situation s(1, 10'000);
  const std::vector<const Node*> all = AllNodes(*s.cluster);
  const auto ranking = Rank(*policy_, s.cluster, s.demand, all);
  ASSERT_TRUE(ranking.ok()) << ranking.status();
  EXPECT_THAT(ranking->order, SizeIs(all.size()));
  EXPECT_GT(ranking->feasible, 1'000u);
}

TEST_P(PolicyConformance, AnswersManyThreadsAlike) {
  const Situation s(1, 60);
  ASSERT_FALSE(s.feasible.empty());
  const std::vector<float> scores = ScoresOf(s.cluster, s.demand, s.feasible);
  const GpuSet gpus = policy_->ChooseGpus(*s.feasible[0], s.demand, *s.profile);
  std::vector<int> differences(8);
  const auto ask = [&](int& different) {
    std::vector<float> mine(s.feasible.size());
    for (int i = 0; i < 20; ++i) {
      const bool answered = policy_->Score({s.cluster, s.demand, s.feasible}, mine).ok();
      if (!answered || mine != scores) ++different;
      if (policy_->ChooseGpus(*s.feasible[0], s.demand, *s.profile) != gpus) ++different;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int& different : differences) threads.emplace_back(ask, std::ref(different));
  }
  EXPECT_THAT(differences, Each(0));
}

}  // namespace berth
