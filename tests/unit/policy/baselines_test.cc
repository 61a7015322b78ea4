// What the FGD paper compares with: baselines, and forms of built-in policies.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "policy/heuristics.h"
#include "support/small_case.h"
#include "support/views.h"

namespace berth {
namespace {

using ::testing::ElementsAre;

float ScoreOf(const ScorerPtr& scorer, const Node& node, const Demand& demand) {
  const ClusterViewPtr cluster = ViewOf({node}, SmallProfile());
  const Node* const candidates[] = {cluster->nodes()[0].get()};
  float score = -1;
  const auto answered = scorer->Score({cluster, demand, candidates}, {&score, 1});
  EXPECT_TRUE(answered.ok()) << answered.status();
  return score;
}

Demand Gpus(int gpus, int64_t share = 1000) {
  return {.gpus = gpus, .per_gpu = MilliGpu(share), .accounting = GpuAccounting::kManaged};
}

// SmallNode with these GPUs free.
Node NodeWithFree(GpuFreeList gpus) {
  Node node = SmallNode();
  node.free.gpus = std::move(gpus);
  return node;
}

TEST(BestFitInteger, RoundsBestFitDown) {
  EXPECT_EQ(ScoreOf(MakeBestFitInteger(), SmallNode(), SmallShare()), 86);  // of 86.5625
}

TEST(DotProd, ScoresAsWorkedOutByHand) {
  // 1 - (16000/128000 * 4000/128000 + 1700/8000 * 300/8000) / 2 = 0.99406
  EXPECT_EQ(ScoreOf(MakeDotProd(), SmallNode(), SmallShare()), 99);
  // Without GPUs only CPU counts: 1 - 0.125 * 0.125 / 2 = 0.9922
  EXPECT_EQ(ScoreOf(MakeDotProd(), SmallNode(), {.cpu = MilliCpu(16'000)}), 99);
  // 1 - (0 + 4000/8000 * 4000/8000) / 2 = 0.875
  const MilliGpu idle = kWholeGpu;
  EXPECT_EQ(ScoreOf(MakeDotProd(), NodeWithFree({idle, idle, idle, idle}), Gpus(4)), 87);
}

TEST(GpuPacking, ScoresAsWorkedOutByHand) {
  const MilliGpu idle = kWholeGpu;
  const MilliGpu none;
  struct Case {
    const char* what;
    Node node;
    Demand demand;
    float want;
  };
  const Case cases[] = {
      {"no GPUs asked for", SmallNode(), {.cpu = MilliCpu(1)}, 0},
      {"an idle node: the smaller the better", NodeWithFree({idle, idle, idle, idle}), Gpus(1), 29},
      {"a GPU in use, half of it free", SmallNode(), SmallShare(), 95},
      {"an idle GPU of a node in use", NodeWithFree({none, idle, MilliGpu(200), none}),
       SmallShare(), 49},
      {"two of them", NodeWithFree({none, idle, idle, none}), Gpus(2), 48},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(ScoreOf(MakeGpuPacking(), c.node, c.demand), c.want) << c.what;
  }
}

// By 75 milli-GPU, as SmallShare on GPU 1 leaves less fragment than there was; see SmallProfile().
TEST(FgdPrecise, IsTheDecreaseOfFragment) {
  EXPECT_FLOAT_EQ(ScoreOf(MakeFgdPrecise(), SmallNode(), SmallShare()), 75);
  EXPECT_THAT(MakeFgdPrecise()->ChooseGpus(SmallNode(), SmallShare(), *SmallProfile()),
              ElementsAre(1));
}

}  // namespace
}  // namespace berth
