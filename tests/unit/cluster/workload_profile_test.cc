#include "berth/workload_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "example_cluster.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

PodClass Class(int64_t cpu, int64_t milli, int gpus, std::vector<std::string> models = {}) {
  return {.cpu = MilliCpu(cpu),
          .per_gpu = MilliGpu(milli),
          .gpus = gpus,
          .models = AllowedModels(std::move(models))};
}

WorkloadProfile Profile(std::vector<ClassCount> classes) {
  return WorkloadProfile("hand", classes);
}

TEST(ClassOf, LeavesOutMemoryAndWhatMeansNothing) {
  Demand a = Share(300);
  Demand b = a;
  b.memory = MiB(1);
  b.accounting = GpuAccounting::kObserved;
  EXPECT_EQ(ClassOf(a), ClassOf(b));
  EXPECT_EQ(ClassOf(a), Class(1'000, 300, 1));

  Demand cpu_only = CpuOnly(2'000);
  cpu_only.models = AllowedModels({"T4"});
  EXPECT_EQ(ClassOf(cpu_only), Class(2'000, 0, 0));
}

TEST(WorkloadProfile, SortsClassesAndAddsUpRepeats) {
  const PodClass often = Class(1, 0, 0);
  const PodClass seldom = Class(9, 0, 0);
  const WorkloadProfile profile =
      Profile({{often, 2}, {seldom, 3}, {often, 2}, {Class(5, 0, 0), 0}});
  EXPECT_THAT(profile.classes(), ElementsAre(ClassCount{often, 4}, ClassCount{seldom, 3}));
}

TEST(WorkloadProfile, BreaksTiesByTheLargerClass) {
  const PodClass more_cpu = Class(2'000, 100, 1);
  const PodClass larger_share = Class(1'000, 1'000, 1);
  const PodClass more_gpus = Class(1'000, 1'000, 2);
  const PodClass with_models = Class(1'000, 1'000, 1, {"T4"});
  const WorkloadProfile profile = Profile({{Class(1'000, 900, 1), 1},
                                           {larger_share, 1},
                                           {with_models, 1},
                                           {more_gpus, 1},
                                           {more_cpu, 1}});
  EXPECT_THAT(
      profile.classes(),
      ElementsAre(ClassCount{more_cpu, 1}, ClassCount{more_gpus, 1}, ClassCount{with_models, 1},
                  ClassCount{larger_share, 1}, ClassCount{Class(1'000, 900, 1), 1}));
}

// 100 pods: 60 + 34 = 94 are below 95 %, 60 + 34 + 2 = 96 reach it; the rest is cut off.
TEST(WorkloadProfile, TypicalPodsAreTheShortestPrefixWith95Percent) {
  const WorkloadProfile profile = Profile({{Class(1, 0, 0), 60},
                                           {Class(2, 0, 0), 34},
                                           {Class(3, 0, 0), 2},
                                           {Class(4, 0, 0), 2},
                                           {Class(5, 0, 0), 1},
                                           {Class(6, 0, 0), 1}});
  EXPECT_THAT(profile.typical_pods(), ElementsAre(TypicalPod{Class(1, 0, 0), 60.0 / 96},
                                                  TypicalPod{Class(2, 0, 0), 34.0 / 96},
                                                  TypicalPod{Class(4, 0, 0), 2.0 / 96}));
}

TEST(WorkloadProfile, ExactlyNinetyFivePercentIsEnough) {
  const WorkloadProfile profile = Profile({{Class(1, 0, 0), 95}, {Class(2, 0, 0), 5}});
  EXPECT_THAT(profile.typical_pods(), ElementsAre(TypicalPod{Class(1, 0, 0), 1.0}));
}

TEST(WorkloadProfile, MayBeEmpty) {
  const WorkloadProfile profile = Profile({});
  EXPECT_THAT(profile.classes(), IsEmpty());
  EXPECT_THAT(profile.typical_pods(), IsEmpty());
  EXPECT_EQ(profile.CpuPerGpu(), MilliCpu());
  EXPECT_EQ(profile.ExpectedFill(MilliGpu(500), 0.1), 0);
  EXPECT_THAT(profile.Scarcity({{GpuModel("T4"), kWholeGpu}}),
              ElementsAre(Pair(GpuModel("T4"), 0)));
}

// GPU pods: 2 x 4 cores on half a GPU, 1 x 16 cores on two: 24 cores on 3 GPUs. CPU-only pods do
// not count.
TEST(WorkloadProfile, CpuPerGpuIsTheCpuOfGpuPodsPerWholeGpu) {
  const WorkloadProfile profile = Profile(
      {{Class(4'000, 500, 1), 2}, {Class(16'000, 1'000, 2), 1}, {Class(64'000, 0, 0), 100}});
  EXPECT_EQ(profile.CpuPerGpu(), MilliCpu(8'000));
}

// Demand: 2 GPUs on T4, 4 on T4 or V100, 1 on H100 (there is none), 1 on any: 8 GPUs. The cluster
// has 16, so demand counts twice: 4 of T4's 4 GPUs; 8 of 16 on T4 or V100, a half of each.
TEST(WorkloadProfile, ScarcityIsConstrainedDemandPerCapacity) {
  const WorkloadProfile profile = Profile({{Class(1, 1'000, 1, {"T4"}), 2},
                                           {Class(1, 1'000, 4, {"T4", "V100"}), 1},
                                           {Class(1, 1'000, 1, {"H100"}), 1},
                                           {Class(1, 1'000, 1), 1},
                                           {Class(1, 0, 0), 50}});
  const auto scarcity = profile.Scarcity({{GpuModel("NVIDIA-T4"), kWholeGpu * 4},
                                          {GpuModel("V100"), kWholeGpu * 12},
                                          {GpuModel("H100"), MilliGpu()}});
  EXPECT_THAT(scarcity, ElementsAre(Pair(GpuModel("H100"), 0), Pair(GpuModel("NVIDIA-T4"), 1.5),
                                    Pair(GpuModel("V100"), 0.5)));
}

// One-GPU pods: 6 of 500, 4 of 300, so p = 0.6 and 0.4; epsilon = 0.1.
//   E(300) = 0.4 * 300 / 0.5 = 240, and the same up to E(499)
//   E(500) = (0.4 * (300 + E(200)) + 0.6 * (500 + E(0))) / 1.1 = (120 + 300) / 1.1
//   E(600) = (0.4 * (300 + E(300)) + 0.6 * (500 + E(100))) / 1.1 = (216 + 300) / 1.1
//   E(800) = (0.4 * (300 + E(500)) + 0.6 * (500 + E(300))) / 1.1
TEST(WorkloadProfile, ExpectedFillFollowsItsRecursion) {
  const WorkloadProfile profile = Profile({{Class(1, 500, 1), 4},
                                           {Class(2, 500, 1), 2},
                                           {Class(1, 300, 1), 4},
                                           {Class(1, 1'000, 2), 7},
                                           {Class(1, 0, 0), 9}});
  const auto fill = [&](int64_t residual) { return profile.ExpectedFill(MilliGpu(residual), 0.1); };
  EXPECT_EQ(fill(0), 0);
  EXPECT_EQ(fill(299), 0);
  EXPECT_DOUBLE_EQ(fill(300), 240);
  EXPECT_DOUBLE_EQ(fill(499), 240);
  EXPECT_DOUBLE_EQ(fill(500), 420 / 1.1);
  EXPECT_DOUBLE_EQ(fill(600), 516 / 1.1);
  EXPECT_DOUBLE_EQ(fill(800), (0.4 * (300 + 420 / 1.1) + 0.6 * (500 + 240)) / 1.1);
}

TEST(WorkloadProfile, ExpectedFillStaysWithinTheResidual) {
  const WorkloadProfile profile =
      Profile({{Class(1, 1, 1), 1}, {Class(1, 700, 1), 1}, {Class(1, 1'000, 1), 1}});
  for (int64_t residual = 0; residual <= 1'000; ++residual) {
    const double fill = profile.ExpectedFill(MilliGpu(residual), 1e-9);
    EXPECT_GE(fill, 0) << residual;
    EXPECT_LE(fill, static_cast<double>(residual)) << residual;
  }
  EXPECT_EQ(profile.ExpectedFill(MilliGpu(-5), 0.1), 0);
}

}  // namespace
}  // namespace berth
