#include "cluster/fleet.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

Fleet Of(int t4, int g2, int cores) {
  Fleet fleet{.gpus = {}, .cpu = MilliCpu(1000 * cores)};
  if (t4 > 0) fleet.gpus[GpuModel("T4")] = kWholeGpu * t4;
  if (g2 > 0) fleet.gpus[GpuModel("G2")] = kWholeGpu * g2;
  return fleet;
}

TEST(Fleet, IsTheSumOfItsNodes) {
  Fleet fleet;
  AddTo(fleet, {.cpu = MilliCpu(4'000), .gpus = 2, .model = GpuModel("T4")});
  AddTo(fleet, {.cpu = MilliCpu(2'000), .gpus = 1, .model = GpuModel("T4")});
  AddTo(fleet, {.cpu = MilliCpu(1'000)});
  EXPECT_EQ(fleet, Of(3, 0, 7));
}

TEST(Fleet, IsFarOnceASumHasMovedByMoreThanASixteenth) {
  const Fleet known = Of(16, 32, 160);
  EXPECT_FALSE(IsFar(known, known));
  EXPECT_FALSE(IsFar(Of(17, 34, 170), known));
  EXPECT_FALSE(IsFar(Of(15, 30, 150), known));
  EXPECT_TRUE(IsFar(Of(18, 32, 160), known));
  EXPECT_TRUE(IsFar(Of(14, 32, 160), known));
  EXPECT_TRUE(IsFar(Of(16, 32, 171), known));
  EXPECT_TRUE(IsFar(Of(16, 0, 160), known)) << "a model went";
  EXPECT_TRUE(IsFar(known, Of(16, 0, 160))) << "a model came";
  EXPECT_TRUE(IsFar(known, Fleet()));
  EXPECT_FALSE(IsFar(Fleet(), Fleet()));
}

}  // namespace
}  // namespace berth
