#include "berth/node.h"

#include <gtest/gtest.h>

#include "example_cluster.h"

namespace berth {
namespace {

TEST(FreeState, CountsFreeGpus) {
  const FreeState free{.gpus = Milli({1000, 0, 999, 1000})};
  EXPECT_EQ(free.TotalGpu(), MilliGpu(2'999));
  EXPECT_EQ(free.WholeGpus(), 2);
}

TEST(IdleState, IsEverythingTheNodeHas) {
  const FreeState idle = IdleState(GpuNode("a", 2));
  EXPECT_EQ(idle.cpu, MilliCpu(64'000));
  EXPECT_EQ(idle.memory, MiB(262'144));
  EXPECT_EQ(idle.gpus, Milli({1000, 1000}));
}

TEST(AfterPlacing, TakesTheDemandOnTheGivenGpusOnly) {
  const FreeState before{
      .cpu = MilliCpu(4'000), .memory = MiB(2'048), .gpus = Milli({1000, 300, 1000, 1000})};
  const FreeState after = AfterPlacing(before, WholeGpus(2), {0, 3});
  EXPECT_EQ(after.cpu, MilliCpu(3'000));
  EXPECT_EQ(after.memory, MiB(1'024));
  EXPECT_EQ(after.gpus, Milli({0, 300, 1000, 0}));
  EXPECT_EQ(AfterPlacing(before, Share(300), {1}).gpus, Milli({1000, 0, 1000, 1000}));
  EXPECT_EQ(AfterPlacing(before, CpuOnly(5'000), {}).cpu, MilliCpu(-1'000))
      << "CPU may be over-committed";
}

TEST(AfterPlacingDeathTest, RefusesGpusThatThePodCannotHave) {
  const FreeState free{.gpus = Milli({1000, 300})};
  EXPECT_DEATH(AfterPlacing(free, Share(301), {1}), "share free");
  EXPECT_DEATH(AfterPlacing(free, Share(100), {2}), "one of the node's GPUs");
  EXPECT_DEATH(AfterPlacing(free, WholeGpus(1), {}), "one index per GPU");
}

}  // namespace
}  // namespace berth
