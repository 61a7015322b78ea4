#include "policy/gpu_choices.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/small_case.h"

namespace berth {
namespace {

Demand Gpus(int count, int64_t milli) {
  return {.gpus = count, .per_gpu = MilliGpu(milli), .accounting = GpuAccounting::kManaged};
}

TEST(DistinctGpuChoices, AreTheWaysThatLeaveDifferentStatesBehind) {
  const FreeState free{
      .cpu = MilliCpu(1000),
      .memory = MiB(1000),
      .gpus = {MilliGpu(500), MilliGpu(200), MilliGpu(1000), MilliGpu(500), MilliGpu(1000)}};
  struct Case {
    const char* what;
    Demand demand;
    GpuChoices want;
  };
  const Case cases[] = {
      {"no GPU: one way, the empty set", Gpus(0, 0), {GpuSet()}},
      {"a share: the lowest GPU of each amount that fits", Gpus(1, 300), {{0}, {2}}},
      {"a small share fits three amounts", Gpus(1, 200), {{0}, {1}, {2}}},
      {"a large share fits idle GPUs only", Gpus(1, 600), {{2}}},
      {"a whole GPU: the lowest idle one", Gpus(1, 1000), {{2}}},
      {"two whole GPUs", Gpus(2, 1000), {{2, 4}}},
      {"three are not free", Gpus(3, 1000), {}},
  };
  for (const Case& c : cases) EXPECT_EQ(DistinctGpuChoices(free, c.demand), c.want) << c.what;
}

TEST(DistinctGpuChoices, AreNoneOnAFullNode) {
  Node node = SmallNode();
  for (MilliGpu& gpu : node.free.gpus) gpu = MilliGpu(299);
  EXPECT_TRUE(DistinctGpuChoices(node.free, SmallShare()).empty());
}

}  // namespace
}  // namespace berth
