#include "cluster/state_features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "cluster/fragmentation.h"
#include "cluster/mix_numbers.h"
#include "cluster/state_tables.h"
#include "support/random_placements.h"
#include "support/small_case.h"

namespace berth {
namespace {

std::map<std::string, float> ByName(const StateFeatures& features) {
  std::map<std::string, float> by_name;
  for (size_t i = 0; i < kStateFeatures; ++i) {
    by_name[std::string(StateFeatureTable()[i].name)] = features[i];
  }
  return by_name;
}

std::map<std::string, float> FeaturesByName(const Node& node, const WorkloadProfile& profile) {
  return ByName(FeaturesOf(*node.spec, node.free, profile));
}

void ExpectFeatures(const std::map<std::string, float>& got,
                    const std::map<std::string, float>& want) {
  for (const auto& [name, value] : want) {
    ASSERT_TRUE(got.contains(name)) << name;
    EXPECT_NEAR(got.at(name), value, 1e-3) << name;
  }
}

// Pods of the small mix need (3 * 4 + 8) / (3 * 0.5 + 2) = 5.714 cores per GPU, so
// the 16 free cores feed 2.8 GPUs and 1.7 are free. CpuPerGpu() is in whole milli-CPU.
TEST(StateFeatures, AreTheNumbersWorkedOutByHand) {
  const std::map<std::string, float> by_hand = {{"fragmentation", 0.575},
                                                {"fragmentation_small_shares", 0},
                                                {"fragmentation_large_shares", 0.75 * 0.2},
                                                {"fragmentation_one_gpu", 0},
                                                {"fragmentation_several_gpus", 0.25 * 1.7},
                                                {"fragmentation_constrained", 0},
                                                {"gpu_free", 1.7},
                                                {"whole_gpus", 1},
                                                {"cpu_free", 16},
                                                {"gpu_starved_050", 0},
                                                {"gpu_starved", 0},
                                                {"gpu_starved_150", 0},
                                                {"gpu_starved_250", 1.7 - 2.8 / 2.5},
                                                {"cpu_surplus", 2.8 - 1.7},
                                                {"cpu_surplus_200", 0},
                                                {"partial_010", 0},
                                                {"partial_025", 0.2},
                                                {"partial_050", 0.5},
                                                {"partial_100", 0},
                                                {"partial_gpus", 2},
                                                {"partial_squares", 0.04 + 0.25},
                                                {"scarce_gpu", 0},
                                                {"cpu_without_gpu", 0},
                                                {"idle", 0},
                                                {"whole_starved", 0},
                                                {"has_whole", 1},
                                                {"has_two", 0},
                                                {"has_four", 0},
                                                {"has_eight", 0},
                                                {"gpu_fed", 1.7},
                                                {"gpu_free_root", std::sqrt(1.7)},
                                                {"cpu_free_root", 4},
                                                // Only pods of half a GPU come for shares: of 0.2
                                                // nothing is filled, of 0.5 0.5 / (1 + epsilon).
                                                {"unfilled_hasty", 0.7 - 0.5 / 1.15},
                                                {"unfilled", 0.7 - 0.5 / 1.03},
                                                {"unfilled_patient", 0.7 - 0.5 / 1.005},
                                                {"slivers", 0},
                                                {"largest_partial", 0.5},
                                                {"cpu_times_partial", 16 * 0.7},
                                                {"partial_fed", 0.7},
                                                {"cpu_times_largest", 16 * 0.5}};
  ExpectFeatures(FeaturesByName(SmallNode(), *SmallProfile()), by_hand);
  EXPECT_EQ(by_hand.size(), kStateFeatures) << "every feature has a number by hand";
}

TEST(StateFeatures, OfAnIdleNodeAndOfOneWithoutFreeGpu) {
  Node idle = SmallNode();
  idle.free = IdleState(*idle.spec);
  ExpectFeatures(FeaturesByName(idle, *SmallProfile()), {{"idle", 1},
                                                         {"gpu_free", 4},
                                                         {"whole_gpus", 4},
                                                         {"has_four", 1},
                                                         {"has_eight", 0},
                                                         {"fragmentation", 0},
                                                         {"partial_gpus", 0}});
  Node full = SmallNode();
  full.free.gpus = GpuFreeList(4, MilliGpu());
  ExpectFeatures(FeaturesByName(full, *SmallProfile()),
                 {{"gpu_free", 0}, {"cpu_without_gpu", 16}, {"fragmentation", 0}, {"idle", 0}});
}

TEST(StateFeatures, AnOvercommittedNodeFeedsNothing) {
  Node node = SmallNode();
  node.free.cpu = MilliCpu(-2'000);
  ExpectFeatures(FeaturesByName(node, *SmallProfile()), {{"cpu_free", -2},
                                                         {"cpu_free_root", 0},
                                                         {"gpu_fed", 0},
                                                         {"gpu_starved", 1.7},
                                                         {"fragmentation", 1.7}});
}

TEST(StateFeatures, WithoutAMixNothingIsAFragmentOrStarved) {
  const WorkloadProfile none("none", {});
  ExpectFeatures(FeaturesByName(SmallNode(), none),
                 {{"fragmentation", 0}, {"gpu_starved", 0}, {"cpu_surplus", 0}, {"gpu_fed", 1.7}});
}

// Of every typical pod by itself, as Fragmentation() does, and by the definitions of the parts.
TEST(StateFeatures, SplitFragmentationAsANaiveSumDoes) {
  Rng rng(7);
  for (int round = 0; round < 300; ++round) {
    const WorkloadProfilePtr profile = RandomProfile(rng, 30);
    const Node node = RandomNodes(rng, 1).front();
    std::map<std::string, double> want;
    for (const auto& [pod, probability] : profile->typical_pods()) {
      const double fragment =
          probability * static_cast<double>(FragmentFor(node.spec->model, node.free, pod).value()) /
          1000;
      want["fragmentation"] += fragment;
      if (pod.gpus == 0) continue;
      const char* const kSorts[] = {"small_shares", "large_shares", "one_gpu", "several_gpus"};
      want[std::string("fragmentation_") +
           kSorts[static_cast<size_t>(SortOf(pod.gpus, pod.per_gpu))]] += fragment;
      if (!pod.models.AllowsAny()) want["fragmentation_constrained"] += fragment;
    }
    const auto got = FeaturesByName(node, *profile);
    for (const auto& [name, value] : want) ASSERT_NEAR(got.at(name), value, 1e-4) << name;
  }
}

TEST(StateFeatures, DoNotDependOnTheOrderOfGpus) {
  Node turned = SmallNode();
  std::ranges::reverse(turned.free.gpus);
  EXPECT_EQ(FeaturesOf(*turned.spec, turned.free, *SmallProfile()),
            FeaturesOf(*turned.spec, SmallNode().free, *SmallProfile()));
}

// Half of the demand wants T4, and there are as many T4 as others.
TEST(StateFeatures, ScarcityIsThatOfTheFleet) {
  const std::vector<ClassCount> classes = {
      {{.cpu = MilliCpu(1), .per_gpu = kWholeGpu, .gpus = 1, .models = AllowedModels({"T4"})}, 1},
      {{.cpu = MilliCpu(1), .per_gpu = kWholeGpu, .gpus = 1, .models = {}}, 1}};
  const Fleet fleet{.gpus = {{GpuModel("T4"), kWholeGpu * 4}, {GpuModel("G2"), kWholeGpu * 4}},
                    .cpu = MilliCpu(8'000)};
  const WorkloadProfile mix = WorkloadProfile("half", classes).On(fleet);
  Node node = SmallNode();
  EXPECT_EQ(FeaturesByName(node, mix).at("scarce_gpu"), 0);
  NodeSpec spec = *node.spec;
  spec.model = GpuModel("T4");
  node.spec = std::make_shared<const NodeSpec>(spec);
  EXPECT_FLOAT_EQ(FeaturesByName(node, mix).at("scarce_gpu"), 1.7);
  EXPECT_EQ(FeaturesByName(node, WorkloadProfile("half", classes)).at("scarce_gpu"), 0);
}

TEST(MixNumbers, SayHowAMixDiffersFromOpenbsDefault) {
  // 4 of 6 GPUs asked for by shares or several: 2 shares of a half, one pod of 3, two of one.
  const std::vector<ClassCount> classes = {
      {{.cpu = MilliCpu(2'000), .per_gpu = MilliGpu(500), .gpus = 1, .models = {}}, 2},
      {{.cpu = MilliCpu(4'000), .per_gpu = kWholeGpu, .gpus = 3, .models = {}}, 1},
      {{.cpu = MilliCpu(8'000), .per_gpu = kWholeGpu, .gpus = 1, .models = AllowedModels({"T4"})},
       2}};
  const WorkloadProfile mix("mix", classes);
  EXPECT_NEAR(mix.statistics().shares, 1 / 6.0, 1e-9);
  EXPECT_NEAR(mix.statistics().several_gpus, 3 / 6.0, 1e-9);
  EXPECT_NEAR(mix.statistics().constrained, 2 / 6.0, 1e-9);
  EXPECT_EQ(mix.statistics().cpu_pressure, 0) << "as long as the fleet is not known";
  const MixNumbers unknown = NumbersOf(mix);
  EXPECT_NEAR(unknown[0], 2 / 6.0 / 0.35, 1e-6);
  EXPECT_NEAR(unknown[1], (1 / 6.0 - 0.285) / 0.715, 1e-6);
  EXPECT_NEAR(unknown[2], (3 / 6.0 - 0.073) / 0.43, 1e-6);
  EXPECT_EQ(unknown[3], 0);
  // 24 cores for 6 GPUs; the fleet has 10 per GPU.
  const Fleet fleet{.gpus = {{GpuModel("T4"), kWholeGpu * 2}}, .cpu = MilliCpu(20'000)};
  EXPECT_NEAR(mix.On(fleet).statistics().cpu_pressure, 0.4, 1e-9);
  EXPECT_EQ(NumbersOf(mix.On(fleet))[3], -1) << "held at the end of the range";
  EXPECT_EQ(NumbersOf(WorkloadProfile("none", {})), MixNumbers());
}

}  // namespace
}  // namespace berth
