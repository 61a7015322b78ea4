#include "cluster/fragmentation.h"

#include <gtest/gtest.h>

#include "cluster/profile_file.h"
#include "example_cluster.h"
#include "sim/openb_nodes.h"
#include "support/random_placements.h"

namespace berth {
namespace {

const GpuModel kT4("T4");

// R = 1000 + 300 + 0 + 600 = 1900.
FreeState Used() { return {.cpu = MilliCpu(4'000), .gpus = Milli({1000, 300, 0, 600})}; }

PodClass Class(int64_t cpu, int64_t milli, int gpus, std::vector<std::string> models = {}) {
  return {.cpu = MilliCpu(cpu),
          .per_gpu = MilliGpu(milli),
          .gpus = gpus,
          .models = AllowedModels(std::move(models))};
}

struct Case {
  const char* what;
  PodClass pod_class;
  int64_t fragment;
};

TEST(FragmentFor, IsWhatTheClassCannotUse) {
  const std::vector<Case> cases = {
      {"share: GPUs below 500 are too small: 300 + 0", Class(1'000, 500, 1), 300},
      {"share just fits: 0", Class(1'000, 300, 1), 0},
      {"whole GPU: 300 + 0 + 600", Class(1'000, 1'000, 1), 900},
      {"two whole GPUs, there is one: R", Class(1'000, 1'000, 2), 1'900},
      {"just enough CPU: 300 + 0", Class(4'000, 500, 1), 300},
      {"too little CPU: R", Class(4'001, 500, 1), 1'900},
      {"CPU-only, fits: R all the same", Class(1'000, 0, 0), 1'900},
      {"CPU-only, does not fit: R", Class(9'000, 0, 0), 1'900},
      {"other model: R", Class(1'000, 500, 1, {"V100"}), 1'900},
      {"this model: 300 + 0", Class(1'000, 500, 1, {"T4", "V100"}), 300},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(FragmentFor(kT4, Used(), c.pod_class), MilliGpu(c.fragment)) << c.what;
  }
}

TEST(FragmentFor, IsZeroWithoutIdleGpu) {
  const FreeState full{.cpu = MilliCpu(4'000), .gpus = Milli({0, 0})};
  EXPECT_EQ(FragmentFor(kT4, full, Class(1'000, 500, 1)), MilliGpu());
  const FreeState no_gpus{.cpu = MilliCpu(4'000)};
  EXPECT_EQ(FragmentFor(kT4, no_gpus, Class(1'000, 1'000, 1)), MilliGpu());
}

// Ten pods, all typical: half a GPU x 5, a GPU x 3, two GPUs x 1, CPU-only x 1:
// 0.5 * 300 + 0.3 * 900 + 0.1 * 1900 + 0.1 * 1900 = 150 + 270 + 190 + 190 = 800.
TEST(Fragmentation, IsTheMeanOverTypicalPods) {
  const std::vector<ClassCount> classes = {{Class(1'000, 500, 1), 5},
                                           {Class(1'000, 1'000, 1), 3},
                                           {Class(1'000, 1'000, 2), 1},
                                           {Class(2'000, 0, 0), 1}};
  EXPECT_DOUBLE_EQ(Fragmentation(kT4, Used(), WorkloadProfile("hand", classes)), 800);
}

TEST(Fragmentation, IsZeroForAnEmptyProfile) {
  EXPECT_EQ(Fragmentation(kT4, Used(), *EmptyProfile()), 0);
}

// To the last bit, whatever is worked out once for several pods: rankings hang on it.
TEST(Fragmentation, IsTheSumOverTypicalPodsInTheirOrder) {
  Rng rng(7);
  const WorkloadProfilePtr profile = RandomProfile(rng, 300);
  for (int i = 0; i < 2'000; ++i) {
    const Node node = RandomNode(rng, "node");
    const GpuModel& model = node.spec->model;
    double sum = 0;
    for (const TypicalPod& typical : profile->typical_pods()) {
      const MilliGpu fragment = FragmentFor(model, node.free, typical.pod_class);
      sum += typical.probability * static_cast<double>(fragment.value());
    }
    ASSERT_EQ(Fragmentation(model, node.free, *profile), sum) << model.value();
  }
}

// The published figure for the default trace: CPU-only pods count all idle GPU as fragment, so an
// empty cluster already shows 13.94 % of its GPUs.
TEST(Fragmentation, OfTheEmptyOpenbClusterIsAsPublished) {
  const auto profile =
      LoadProfile(std::string(BERTH_SOURCE_DIR) + "/policies/profiles/openb-default.json");
  ASSERT_TRUE(profile.ok()) << profile.status();
  double fragment = 0;
  MilliGpu capacity;
  for (const NodeSpec& node : OpenbNodes(GpuAccounting::kManaged)) {
    fragment += Fragmentation(node.model, IdleState(node), *profile);
    capacity += kWholeGpu * node.gpus;
  }
  EXPECT_NEAR(100 * fragment / static_cast<double>(capacity.value()), 13.94, 0.005);
}

TEST(OpenbNodes, AddUpToThePublishedTotals) {
  const std::vector<NodeSpec> nodes = OpenbNodes(GpuAccounting::kObserved);
  MilliCpu cpu;
  MiB memory;
  int gpus = 0;
  for (const NodeSpec& node : nodes) {
    cpu += node.cpu;
    memory += node.memory;
    gpus += node.gpus;
  }
  EXPECT_EQ(nodes.size(), 1'213u);
  EXPECT_EQ(gpus, 6'212);
  EXPECT_EQ(cpu, MilliCpu(107'018'000));
  EXPECT_EQ(memory, MiB(503'828'480));
}

}  // namespace
}  // namespace berth
