#include "sim/sim_cluster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/small_case.h"

namespace berth {
namespace {

using ::testing::ElementsAre;

Demand Gpus(int gpus, int64_t share = 1000) {
  return {.gpus = gpus, .per_gpu = MilliGpu(share), .accounting = GpuAccounting::kManaged};
}

SimCluster TwoSmallNodes() { return SimCluster({*SmallNode("a").spec, *SmallNode("b").spec}); }

TEST(SimCluster, StartsIdle) {
  const SimCluster cluster = TwoSmallNodes();
  EXPECT_EQ(cluster.nodes()[1].free, IdleState(*SmallNode("b").spec));
  EXPECT_EQ(cluster.gpu_capacity(), kWholeGpu * 8);
  EXPECT_EQ(cluster.gpu_used(), MilliGpu());
  EXPECT_THAT(cluster.changes(), ElementsAre());
}

TEST(SimCluster, PlacesAndTellsWhatChanged) {
  SimCluster cluster = TwoSmallNodes();
  cluster.Place(1, SmallShare(), {2});
  cluster.Place(0, Gpus(2), {0, 1});
  cluster.Place(1, SmallShare(), {2});
  EXPECT_EQ(cluster.nodes()[1].free.gpus[2], MilliGpu(400));
  EXPECT_EQ(cluster.nodes()[1].free.cpu, MilliCpu(24'000));
  EXPECT_EQ(cluster.gpu_used(), MilliGpu(2'600));
  EXPECT_THAT(cluster.changes(), ElementsAre(1, 0, 1));
  EXPECT_EQ(cluster.nodes()[0].generation, 3);
  EXPECT_EQ(cluster.nodes()[1].generation, 4);
}

TEST(SimCluster, KnowsTheKindsOfPodsOnANode) {
  SimCluster cluster = TwoSmallNodes();
  EXPECT_EQ(cluster.KindsOn(cluster.nodes()[0]), 0);
  cluster.Place(0, SmallShare(), {0});
  cluster.Place(1, Gpus(1), {0});
  cluster.Place(0, {.cpu = MilliCpu(1)}, {});
  EXPECT_EQ(cluster.KindsOn(cluster.nodes()[0]), KindOf(SmallShare()));
  cluster.Place(0, Gpus(2), {1, 2});
  EXPECT_EQ(cluster.KindsOn(cluster.nodes()[0]), KindOf(SmallShare()) | KindOf(Gpus(2)));
  EXPECT_EQ(cluster.KindsOn(cluster.nodes()[1]), KindOf(Gpus(1)));
}

TEST(KindOf, TellsSizesApart) {
  EXPECT_EQ(KindOf({.cpu = MilliCpu(1)}), 0);
  EXPECT_EQ(KindOf(Gpus(1, 1)), KindOf(Gpus(1, 999)));
  EXPECT_EQ(KindOf(Gpus(2)), KindOf(Gpus(3)));
  const GpuPodKinds each[] = {KindOf(SmallShare()), KindOf(Gpus(1)), KindOf(Gpus(2)),
                              KindOf(Gpus(4)),      KindOf(Gpus(8)), KindOf(Gpus(256))};
  GpuPodKinds all = 0;
  for (const GpuPodKinds kind : each) {
    EXPECT_NE(kind, 0);
    EXPECT_EQ(all & kind, 0);
    all |= kind;
  }
}

}  // namespace
}  // namespace berth
