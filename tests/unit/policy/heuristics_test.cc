#include "policy/heuristics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "policy/ranking.h"
#include "support/random_placements.h"
#include "support/small_case.h"
#include "support/views.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ScorerPtr Make(std::string_view name) { return MakeHeuristic(name).value(); }

float ScoreOf(std::string_view policy, const Node& node, const Demand& demand) {
  const ClusterViewPtr cluster = ViewOf({node}, SmallProfile());
  const Node* const candidates[] = {cluster->nodes()[0].get()};
  float score = -1;
  const ScorerPtr scorer = Make(policy);
  const auto answered = scorer->Score({cluster, demand, candidates}, {&score, 1});
  EXPECT_TRUE(answered.ok()) << answered.status();
  EXPECT_EQ(answered->policy, policy);
  return score;
}

// With SmallShare on it, SmallNode has 12 of 32 cores, 48 of 128 GiB and 1.4 of 4 GPUs free.
TEST(Heuristics, ScoreAShareAsWorkedOutByHand) {
  struct Case {
    const char* policy;
    double want;
  };
  const Case cases[] = {
      {"first-fit", 0},
      // 100 * (1 - 12000/128000/2 - 1400/8000/2)
      {"best-fit", 86.5625},
      // (20/32 + 80/128 + 2.6/4) / 3
      {"bin-pack", 100 * (0.625 + 0.625 + 0.65) / 3},
      {"spread", 100 * (0.375 + 0.375 + 0.35) / 3},
      // GPU 1: floor(100 / (1 + exp(-0.075))) = floor(51.87); GPU 2 would give floor(48.13)
      {"fgd", 51},
      // GPU 1: 0.575 - 0.5 - 0.05 * (1.4/8 + 12/128); GPU 2 would give less, F after being 0.65
      {"fgd-bestfit", 0.0615625},
  };
  for (const Case& c : cases) {
    EXPECT_NEAR(ScoreOf(c.policy, SmallNode(), SmallShare()), c.want, 1e-5) << c.policy;
  }
}

TEST(Heuristics, ScoreAPodWithoutGpusAsWorkedOutByHand) {
  const Demand demand{.cpu = MilliCpu(10'000), .memory = MiB(32'768)};
  struct Case {
    const char* policy;
    double want;
  };
  const Case cases[] = {
      {"first-fit", 0},
      // 100 * (1 - 6000/128000/2 - 1700/8000/2)
      {"best-fit", 87.03125},
      // 26/32 and 96/128; GPUs do not count
      {"bin-pack", 100 * (0.8125 + 0.75) / 2},
      {"spread", 100 * (0.1875 + 0.25) / 2},
      // 6 cores feed the shares still, and the pair of GPUs was not there before: F stays
      {"fgd", 50},
      {"fgd-bestfit", -0.05 * (1.7 / 8 + 6.0 / 128)},
  };
  for (const Case& c : cases) {
    EXPECT_NEAR(ScoreOf(c.policy, SmallNode(), demand), c.want, 1e-5) << c.policy;
  }
}

TEST(Heuristics, ChooseTheGpuOfAShare) {
  const std::pair<const char*, uint8_t> cases[] = {
      {"first-fit", 2}, {"best-fit", 2},
      {"bin-pack", 2},  {"spread", 2},       // the tightest that fits
      {"fgd", 1},       {"fgd-bestfit", 1},  // 0.2 is a leftover that no typical pod can use
  };
  for (const auto& [policy, gpu] : cases) {
    EXPECT_THAT(Make(policy)->ChooseGpus(SmallNode(), SmallShare(), *SmallProfile()),
                ElementsAre(gpu))
        << policy;
  }
}

TEST(Heuristics, ChooseTheLowestWholeGpus) {
  Node node = SmallNode();
  node.free.gpus[3] = kWholeGpu;
  const Demand two{.gpus = 2, .per_gpu = kWholeGpu, .accounting = GpuAccounting::kManaged};
  for (std::string_view name : HeuristicNames()) {
    const ScorerPtr policy = Make(name);
    EXPECT_THAT(policy->ChooseGpus(node, two, *SmallProfile()), ElementsAre(1, 3)) << name;
    EXPECT_THAT(policy->ChooseGpus(node, {.cpu = MilliCpu(1)}, *SmallProfile()), IsEmpty());
    EXPECT_THAT(policy->ChooseGpus(SmallNode(), two, *SmallProfile()), IsEmpty())
        << name << ": it does not fit";
  }
}

TEST(Heuristics, OrderNodesByTheirIdea) {
  Node fuller = SmallNode("z-fuller");
  fuller.free.cpu = MilliCpu(5'000);
  fuller.free.memory = MiB(20'000);
  const ClusterViewPtr cluster = ViewOf({SmallNode("a"), fuller}, SmallProfile());
  const std::vector<const Node*> candidates = AllNodes(*cluster);
  const auto winner = [&](std::string_view policy) {
    return candidates[Rank(*Make(policy), cluster, SmallShare(), candidates)->order[0]]
        ->name()
        .value();
  };
  EXPECT_EQ(winner("first-fit"), "a");
  EXPECT_EQ(winner("best-fit"), "z-fuller");
  EXPECT_EQ(winner("bin-pack"), "z-fuller");
  EXPECT_EQ(winner("spread"), "a");
}

// One step of FGD's score is about 40 milli-GPU of fragment. Within a step the order of names
// decides, where full precision tells the nodes apart.
TEST(Fgd, SeesStepsAndBreaksTiesByName) {
  Node a = SmallNode("a");
  a.free.gpus = {MilliGpu(520), MilliGpu(0), MilliGpu(0), MilliGpu(0)};
  Node b = SmallNode("b");
  b.free.gpus = {MilliGpu(510), MilliGpu(0), MilliGpu(0), MilliGpu(0)};
  const ClusterViewPtr cluster = ViewOf({a, b}, SmallProfile());
  const std::vector<const Node*> candidates = {cluster->Find("b"), cluster->Find("a")};
  // On a, F goes from 520/4 = 130 to 220: floor(100 / (1 + exp(0.09))) = floor(47.75).
  // On b, F goes from 510/4 = 127.5 to 210: floor(100 / (1 + exp(0.0825))) = floor(47.94).
  const auto ranking = Rank(*Make("fgd"), cluster, SmallShare(), candidates);
  EXPECT_THAT(ranking->order, ElementsAre(1, 0));
  EXPECT_THAT(ranking->scores, ElementsAre(47, 47));
  EXPECT_THAT(Rank(*Make("fgd-bestfit"), cluster, SmallShare(), candidates)->order,
              ElementsAre(0, 1));
}

// Equal nodes are scored once per request; that may not show.
TEST(Heuristics, ScoreEachNodeOfARequestAsIfItWereAlone) {
  Rng rng(1);
  std::vector<Node> nodes = RandomNodes(rng, 30);
  for (int i = 0; i < 10; ++i) {
    Node twin = nodes[i];
    twin.spec = std::make_shared<const NodeSpec>([&] {
      NodeSpec spec = *twin.spec;
      spec.name = NodeName("twin-of-" + spec.name.value());
      return spec;
    }());
    nodes.push_back(twin);
  }
  const ClusterViewPtr cluster = ViewOf(nodes, RandomProfile(rng, 50));
  const Demand demand{.cpu = MilliCpu(0)};
  const std::vector<const Node*> candidates = AllNodes(*cluster);
  for (std::string_view name : HeuristicNames()) {
    const ScorerPtr policy = Make(name);
    std::vector<float> together(candidates.size());
    ASSERT_TRUE(policy->Score({cluster, demand, candidates}, together).ok());
    for (size_t i = 0; i < candidates.size(); ++i) {
      float alone = 0;
      ASSERT_TRUE(policy->Score({cluster, demand, {&candidates[i], 1}}, {&alone, 1}).ok());
      EXPECT_EQ(alone, together[i]) << name << " on " << candidates[i]->name().value();
    }
  }
}

TEST(MakeHeuristic, KnowsEveryNameItLists) {
  for (std::string_view name : HeuristicNames()) EXPECT_EQ(Make(name)->name(), name);
  EXPECT_THAT(HeuristicNames(),
              ElementsAre("first-fit", "best-fit", "bin-pack", "spread", "fgd", "fgd-bestfit"));
}

TEST(MakeHeuristic, ListsTheNamesWhenItKnowsNone) {
  const auto unknown = MakeHeuristic("worst\nfit");
  EXPECT_EQ(unknown.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(unknown.status().message()),
              HasSubstr("\"worst\\nfit\"; there are first-fit, best-fit, bin-pack"));
}

}  // namespace
}  // namespace berth
