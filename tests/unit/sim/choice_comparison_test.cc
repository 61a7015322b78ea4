#include "sim/choice_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth {
namespace {

NodeSpec NodeOf(std::string name, int gpus) {
  return {.name = NodeName(std::move(name)),
          .cpu = MilliCpu(64'000),
          .memory = MiB(262'144),
          .gpus = gpus,
          .model = GpuModel("T4"),
          .accounting = GpuAccounting::kManaged};
}

TracePod PodOf(int gpus) {
  TracePod pod;
  pod.demand = {.cpu = MilliCpu(1'000),
                .memory = MiB(1'024),
                .gpus = gpus,
                .per_gpu = kWholeGpu,
                .accounting = GpuAccounting::kManaged};
  return pod;
}

// Two nodes of 2 and 4 GPUs. Best-fit sends the first pod of one GPU to the small node, spread to
// the large one; then best-fit fills the small node, and spread would take the large one again.
class ChoiceComparisonTest : public testing::Test {
 protected:
  ChoiceComparison Compare(const char* first, const char* second) {
    Rng rng(1);
    ChoiceComparison comparison;
    const Status compared =
        CompareChoices(FindSimPolicy(first).value(), FindSimPolicy(second).value(), trace_, order_,
                       rng, comparison);
    EXPECT_TRUE(compared.ok()) << compared;
    return comparison;
  }

  const Trace trace_{
      .nodes = {NodeOf("large", 4), NodeOf("small", 2)},
      .pods = {PodOf(1), PodOf(1), PodOf(4), PodOf(4)},
      .profile = std::make_shared<const WorkloadProfile>("none", std::span<const ClassCount>())};
  const EventOrder order_{.arrivals = {0, 1, 2, 3}, .node_rank = {0, 1}};
};

TEST_F(ChoiceComparisonTest, CountsWhereAndForWhomChoicesDiffer) {
  const ChoiceComparison comparison = Compare("bestfit", "spread");
  EXPECT_EQ(comparison.all.decisions, 3) << "the last pod fits nowhere";
  EXPECT_EQ(comparison.all.differ, 2);
  const auto& one = comparison.by_size[static_cast<size_t>(JobSize::kOneGpu)];
  EXPECT_EQ(one.decisions, 2);
  EXPECT_EQ(one.differ, 2);
  EXPECT_EQ(comparison.by_size[static_cast<size_t>(JobSize::kSeveralGpus)].differ, 0);
  EXPECT_EQ(comparison.by_load[0].differ, 1) << "the empty cluster";
  EXPECT_EQ(comparison.by_load[1].differ, 1) << "one of 6 GPUs in use";
  EXPECT_EQ(comparison.by_load[3].decisions, 1) << "two of 6";
}

TEST_F(ChoiceComparisonTest, APolicyAgreesWithItself) {
  EXPECT_EQ(Compare("bestfit", "bestfit").all.differ, 0);
}

}  // namespace
}  // namespace berth
