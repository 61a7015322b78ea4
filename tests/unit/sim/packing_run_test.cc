// One run: the curve, the largest of the scores, what is remembered of them, and what comes of it.

#include "sim/packing_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "cluster/feasibility.h"
#include "policy/heuristics.h"
#include "policy/ranking.h"
#include "sim/draw.h"
#include "sim/max_blocks.h"
#include "sim/node_scores.h"
#include "sim/static_fit.h"
#include "support/random_placements.h"
#include "support/small_case.h"
#include "support/views.h"

namespace berth {
namespace {

TEST(InflationCurve, AveragesWhatRoundsToTheSamePercent) {
  InflationCurve curve(kWholeGpu * 100);
  curve.Add(MilliGpu(500), MilliGpu(500));      // 0.5 % is even 0
  curve.Add(MilliGpu(1'500), MilliGpu(1'200));  // 1.5 % is even 2
  curve.Add(MilliGpu(2'400), MilliGpu(2'004));  // 2.004 % is 2 in hundredths
  EXPECT_EQ(curve.At(0), 0.5);
  EXPECT_EQ(curve.At(1), std::nullopt);
  EXPECT_DOUBLE_EQ(curve.At(2).value(), (1.2 + 2.0) / 2);
}

TEST(InflationCurve, EndsAt130Percent) {
  InflationCurve curve(kWholeGpu);
  curve.Add(MilliGpu(1'300), MilliGpu(900));
  curve.Add(MilliGpu(1'306), MilliGpu(1'000));
  EXPECT_EQ(curve.At(130), 90);
}

TEST(MaxBlocks, KnowsTheFirstOfTheLargest) {
  for (const size_t size : {1, 2, 3, 7, 8, 100}) {
    Rng rng(size);
    std::vector<float> numbers(size, -std::numeric_limits<float>::infinity());
    MaxBlocks blocks(numbers);
    for (int i = 0; i < 1000; ++i) {
      const size_t position = DrawBelow(rng, size);
      const float before = std::exchange(numbers[position], static_cast<float>(DrawBelow(rng, 5)));
      blocks.Update(numbers, position, before);
      const auto largest = std::ranges::max_element(numbers);
      ASSERT_EQ(blocks.Max(), *largest);
      ASSERT_EQ(blocks.FirstMax(numbers), static_cast<size_t>(largest - numbers.begin()));
    }
  }
}

// What is scored anew only where something changed is what ranking everything gives, also for
// demands that left and come back.
class NodeScoresTest : public ::testing::TestWithParam<size_t> {};

TEST_P(NodeScoresTest, GivesWhatRankingAllNodesGives) {
  Rng rng(3);
  std::vector<NodeSpec> specs;
  for (const Node& node : RandomNodes(rng, 40)) specs.push_back(*node.spec);
  std::vector<Demand> demands;
  for (int i = 0; i < 12; ++i) demands.push_back(RandomDemand(rng));
  const ClusterViewPtr surroundings = ViewOf({}, RandomProfile(rng, 30));
  const ScorerPtr scorer = MakeFgd();
  SimCluster cluster(specs);
  NodeScores cache(*scorer, cluster, demands, surroundings, GetParam());
  int placed = 0;
  for (int i = 0; i < 400; ++i) {
    const size_t demand = DrawBelow(rng, demands.size());
    std::vector<const Node*> candidates;
    for (const Node& node : cluster.nodes()) candidates.push_back(&node);
    const Ranking ranking = Rank(*scorer, surroundings, demands[demand], candidates).value();
    const NodeScores::Row& scores = *cache.For(demand).value();
    for (size_t rank = 0; rank < ranking.feasible; ++rank) {
      ASSERT_EQ(scores[ranking.order[rank]], ranking.scores[rank]);
    }
    for (size_t rank = ranking.feasible; rank < candidates.size(); ++rank) {
      ASSERT_EQ(scores[ranking.order[rank]], NodeScores::kCannotTakeIt);
    }
    if (ranking.feasible == 0) continue;
    ++placed;
    const size_t node = ranking.order[0];
    cluster.Place(
        node, demands[demand],
        scorer->ChooseGpus(cluster.nodes()[node], demands[demand], surroundings->profile()));
  }
  EXPECT_GT(placed, 100);
}

INSTANTIATE_TEST_SUITE_P(Demands, NodeScoresTest, ::testing::Values(1, 3, 100));

TEST(StaticFit, IsWhatChecksOfAllNodesGive) {
  Rng rng(5);
  const std::vector<Node> nodes = RandomNodes(rng, 50);
  std::vector<Demand> demands;
  for (int i = 0; i < 50; ++i) demands.push_back(RandomDemand(rng));
  const StaticFit fit(nodes, demands);
  for (size_t node = 0; node < nodes.size(); ++node) {
    for (size_t demand = 0; demand < demands.size(); ++demand) {
      const Refusal refusal = CheckStatic(*nodes[node].spec, demands[demand]);
      EXPECT_EQ(fit.Holds(node, demand), refusal == Refusal::kNone);
    }
  }
}

// Two nodes of four GPUs, and pods that want 3, 2 and 0.3 GPUs.
Trace SmallTrace() {
  const auto gpus = [](int count) {
    return Demand{.gpus = count, .per_gpu = kWholeGpu, .accounting = GpuAccounting::kManaged};
  };
  return {.nodes = {*SmallNode("a").spec, *SmallNode("b").spec},
          .pods = {{"three", gpus(3)}, {"two", gpus(2)}, {"share", SmallShare()}},
          .profile = SmallProfile()};
}

PackingResult Pack(std::string_view policy, const EventOrder& order) {
  Rng rng(1);
  return RunPacking(FindSimPolicy(policy).value(), SmallTrace(), order, rng).value();
}

TEST(RunPacking, PlacesWhatFitsAndCountsWhatDoesNot) {
  // 3 on b, 2 on a, 3 nowhere, 2 on a, 0.3 on b
  const PackingResult result =
      Pack("first-fit", {.arrivals = {0, 1, 0, 1, 2}, .node_rank = {1, 0}});
  EXPECT_EQ(result.failed.all.pods, 1);
  EXPECT_EQ(result.failed.all.gpu, MilliGpu(3'000));
  EXPECT_EQ(result.failed.of_class[static_cast<size_t>(JobSize::kSeveralGpus)], result.failed.all);
  EXPECT_EQ(result.curve.At(38), 37.5);  // 3 of 8 GPUs
  EXPECT_EQ(result.curve.At(62), 62.5);  // 5 of them, 62.5 % to even
  EXPECT_EQ(result.curve.At(100), 62.5);
  EXPECT_EQ(result.curve.At(125), 87.5);
  EXPECT_EQ(result.curve.At(129), 91.25);
}

TEST(FailedPods, AreCountedBySizeAndOnceMoreWhenTheyAcceptOnlySomeModels) {
  const auto gpus = [](int count, std::vector<std::string> models = {}) {
    return Demand{.gpus = count,
                  .per_gpu = kWholeGpu * (count > 0 ? 1 : 0),
                  .models = AllowedModels(std::move(models))};
  };
  FailedPods failed;
  for (const Demand& demand : {gpus(0, {"T4"}), SmallShare(), gpus(1), gpus(1, {"T4"}), gpus(2),
                               gpus(4, {"T4", "P100"}), gpus(8)}) {
    failed.Add(demand);
  }
  using Sum = FailedPods::Sum;
  EXPECT_EQ(failed.all, (Sum{7, MilliGpu(16'300)}));
  EXPECT_THAT(failed.of_class, testing::ElementsAre(Sum{1, MilliGpu(0)}, Sum{1, MilliGpu(300)},
                                                    Sum{2, kWholeGpu * 2}, Sum{2, kWholeGpu * 6},
                                                    Sum{1, kWholeGpu * 8}, Sum{2, kWholeGpu * 5}))
      << "no GPU, share, 1, 2-7, 8+, some models: those of a pod without GPUs mean nothing";
  EXPECT_EQ(NameOfFailureClass(3), "2-7 GPUs");
  EXPECT_EQ(NameOfFailureClass(5), "some models");
}

// What arrives later cannot show in what was decided before: runs that begin alike go on alike
// until they differ, also where what policies are told is estimated from the arrivals.
TEST(RunPacking, AnOnlineProfileDoesNotLookIntoTheFuture) {
  Rng rng(2);
  Trace trace{.profile = SmallProfile(), .online = true};
  for (const Node& node : RandomNodes(rng, 60)) trace.nodes.push_back(*node.spec);
  for (int i = 0; i < 400; ++i) trace.pods.push_back({std::to_string(i), RandomDemand(rng)});
  EventOrder whole;
  for (uint32_t i = 0; i < 60; ++i) whole.node_rank.push_back(i);
  for (uint32_t i = 0; i < 400; ++i) whole.arrivals.push_back(i);
  EventOrder other = whole;
  std::reverse(other.arrivals.begin() + 200, other.arrivals.end());
  const SimPolicy fgd = FindSimPolicy("fgd").value();
  const PackingResult a = RunPacking(fgd, trace, whole, rng).value();
  const PackingResult b = RunPacking(fgd, trace, other, rng).value();
  MilliGpu arrived, capacity;
  for (uint32_t i = 0; i < 200; ++i) arrived += trace.pods[i].demand.TotalGpu();
  for (const NodeSpec& node : trace.nodes) capacity += kWholeGpu * node.gpus;
  const size_t same = static_cast<size_t>(100 * arrived.value() / capacity.value());
  ASSERT_GT(same, 20u);
  for (size_t percent = 0; percent < same; ++percent)
    EXPECT_EQ(a.curve.At(percent), b.curve.At(percent));
  trace.online = false;
  const PackingResult told = RunPacking(fgd, trace, whole, rng).value();
  bool differs = false;
  for (size_t percent = 0; percent < same; ++percent) {
    differs |= told.curve.At(percent) != a.curve.At(percent);
  }
  EXPECT_TRUE(differs) << "the estimate was used";
}

TEST(RunPacking, LeavesTiesToTheOrderOfTheNodesOrToChance) {
  // After 2 GPUs on one node, 3 fit on the other only; where one fails, ties were broken otherwise.
  const EventOrder order{.arrivals = {1, 1, 0}, .node_rank = {0, 1}};
  EXPECT_EQ(Pack("first-fit", order).failed.all.pods, 0);
  EXPECT_EQ(Pack("spread", order).failed.all.pods, 1);
  const SimPolicy random = FindSimPolicy("random").value();
  int failed = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Rng rng(seed);
    failed +=
        static_cast<int>(RunPacking(random, SmallTrace(), order, rng).value().failed.all.pods);
  }
  EXPECT_GT(failed, 20);
  EXPECT_LT(failed, 80);
}

}  // namespace
}  // namespace berth
