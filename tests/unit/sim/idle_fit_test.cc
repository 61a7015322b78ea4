#include "sim/idle_fit.h"

#include <gtest/gtest.h>

#include "support/small_case.h"

namespace berth {
namespace {

Demand Gpus(int gpus, int64_t share = 1000) {
  return {.gpus = gpus, .per_gpu = MilliGpu(share), .accounting = GpuAccounting::kManaged};
}

// Each of four GPUs and 32 cores, whatever is on them now.
TEST(FitWhenIdle, CountsPodsOverAllNodes) {
  const std::vector<Node> nodes = {SmallNode("a"), SmallNode("b")};
  const std::tuple<const char*, Demand, uint32_t> table[] = {
      {"one GPU", Gpus(1), 8},
      {"three GPUs", Gpus(3), 2},
      {"five GPUs", Gpus(5), 0},
      {"0.3 of a GPU", Gpus(1, 300), 24},
      {"eight cores beside 0.3 of a GPU",
       {.cpu = MilliCpu(8'000),
        .gpus = 1,
        .per_gpu = MilliGpu(300),
        .accounting = GpuAccounting::kManaged},
       8},
      {"half the memory", {.memory = MiB(65'536)}, 4},
      {"another model",
       {.gpus = 1,
        .per_gpu = kWholeGpu,
        .accounting = GpuAccounting::kManaged,
        .models = AllowedModels({"T4"})},
       0},
  };
  for (const auto& [what, demand, fit] : table)
    EXPECT_EQ(FitWhenIdle(nodes, demand, 99), fit) << what;
  EXPECT_EQ(FitWhenIdle(nodes, Gpus(1), 3), 3u);
}

}  // namespace
}  // namespace berth
