#include "sim/idle_gpu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "cluster/feasibility.h"
#include "support/random_placements.h"
#include "support/small_case.h"

namespace berth {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

IdleGpuSplit SplitOf(const Node& node, const std::vector<Demand>& demands) {
  std::vector<TracePod> pods;
  for (const Demand& demand : demands) pods.push_back({"pod", demand});
  return IdleGpuSplitter({node.spec.get(), 1}, pods).Split(*node.spec, node.free);
}

Demand With(Demand demand, const std::function<void(Demand&)>& change) {
  change(demand);
  return demand;
}

const Demand kHalf = With(SmallShare(), [](Demand& d) { d.per_gpu = MilliGpu(500); });
const Demand kTwo = With(SmallShare(), [](Demand& d) { d.gpus = 2, d.per_gpu = kWholeGpu; });

// SmallNode has 0.2, 1, 0.5 and 0 GPUs free, 16 cores and 64 GiB.
TEST(IdleGpuSplitter, SaysWhatKeepsAPodFromWhatIsIdle) {
  struct Case {
    const char* what;
    Demand demand;
    IdleGpuSplit want;  // usable, model, too small, too few, CPU, memory
  };
  const Case table[] = {
      {"half a GPU", kHalf, {1'500, 0, 200, 0, 0, 0}},
      {"a whole one", With(kTwo, [](Demand& d) { d.gpus = 1; }), {1'000, 0, 700, 0, 0, 0}},
      {"two, where one is whole", kTwo, {0, 0, 700, 1'000, 0, 0}},
      {"more than the node has",
       With(kTwo, [](Demand& d) { d.gpus = 8; }),
       {0, 0, 700, 1'000, 0, 0}},
      {"all its cores",
       With(kHalf, [](Demand& d) { d.cpu = MilliCpu(16'000); }),
       {1'500, 0, 200, 0, 0, 0}},
      {"more cores",
       With(kHalf, [](Demand& d) { d.cpu = MilliCpu(16'001); }),
       {0, 0, 200, 0, 1'500, 0}},
      {"more memory",
       With(kHalf, [](Demand& d) { d.memory = MiB(65'537); }),
       {0, 0, 200, 0, 0, 1'500}},
      {"more of all",
       With(kTwo, [](Demand& d) { d.cpu = MilliCpu(99'000), d.memory = MiB(99'999); }),
       {0, 0, 700, 1'000, 0, 0}},
      {"another model",
       With(kHalf, [](Demand& d) { d.models = AllowedModels({"T4"}); }),
       {0, 1'700, 0, 0, 0, 0}},
      {"this model",
       With(kHalf,
            [](Demand& d) {
              d.models = AllowedModels({"T4", "G2"});
            }),
       {1'500, 0, 200, 0, 0, 0}},
  };
  for (const Case& c : table) {
    EXPECT_EQ(SplitOf(SmallNode(), {c.demand}), c.want) << c.what;
  }
}

TEST(IdleGpuSplitter, WeighsThePodsThatAskForGpusByHowManyThereAre) {
  const Demand plain{.cpu = MilliCpu(99'000)};
  EXPECT_THAT(SplitOf(SmallNode(), {kHalf, plain, kTwo, kHalf, plain, kHalf}),
              ElementsAre(1'125, 0, 325, 250, 0, 0));
  EXPECT_THAT(SplitOf(SmallNode(), {plain}), ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_THAT(SplitOf(SmallNode(), {}), ElementsAre(0, 0, 0, 0, 0, 0));
}

TEST(IdleGpuSplitter, SplitsAllThatIsIdleAndCallsUsableWhatFits) {
  Rng rng(5);
  for (int i = 0; i < 2'000; ++i) {
    const Node node = RandomNode(rng, "node");
    const Demand demand = RandomDemand(rng);
    if (demand.gpus == 0) continue;
    const IdleGpuSplit split = SplitOf(node, {demand});
    EXPECT_THAT(std::accumulate(split.begin(), split.end(), 0.0),
                DoubleNear(static_cast<double>(node.free.TotalGpu().value()), 1e-6));
    EXPECT_EQ(split[static_cast<size_t>(IdleGpu::kUsable)] > 0,
              CheckFit(node, demand) == Refusal::kNone);
  }
}

}  // namespace
}  // namespace berth
