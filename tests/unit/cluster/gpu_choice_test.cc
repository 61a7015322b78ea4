#include "cluster/gpu_choice.h"

#include <gtest/gtest.h>

#include "example_cluster.h"

namespace berth {
namespace {

struct Case {
  const char* what;
  GpuFreeList free;
  Demand demand;
  GpuSet chosen;
};

TEST(ChooseGpusBestFit, TakesTheTightestOrTheLowest) {
  const std::vector<Case> cases = {
      {"no GPU asked for", Milli({1000}), CpuOnly(1), {}},
      {"no GPU there", Milli({}), Share(1), {}},
      {"exact fit beats looser ones", Milli({1000, 400, 300, 350}), Share(300), {2}},
      {"tightest that fits", Milli({1000, 299, 600, 350}), Share(300), {3}},
      {"ties go to the lowest index", Milli({1000, 500, 500}), Share(500), {1}},
      {"an idle GPU when nothing else fits", Milli({100, 1000, 1000}), Share(500), {1}},
      {"share fits nowhere", Milli({499, 0, 499}), Share(500), {}},
      {"one whole GPU", Milli({999, 1000, 1000}), WholeGpus(1), {1}},
      {"whole GPUs skip used ones", Milli({1000, 10, 1000, 1000}), WholeGpus(2), {0, 2}},
      {"all of them", Milli({1000, 1000}), WholeGpus(2), {0, 1}},
      {"one short", Milli({1000, 999}), WholeGpus(2), {}},
  };
  for (const Case& c : cases) {
    const FreeState free{.gpus = c.free};
    EXPECT_EQ(ChooseGpusBestFit(free, c.demand), c.chosen) << c.what;
  }
}

TEST(ChooseGpusBestFit, ReachesTheLastIndex) {
  const FreeState free{.gpus = GpuFreeList(kMaxGpusPerNode, kWholeGpu)};
  const GpuSet all = ChooseGpusBestFit(free, WholeGpus(kMaxGpusPerNode));
  ASSERT_EQ(all.size(), 256u);
  EXPECT_EQ(all.back(), 255);
}

}  // namespace
}  // namespace berth
