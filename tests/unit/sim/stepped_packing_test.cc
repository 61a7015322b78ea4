// A packing run that somebody else decides, step by step.

#include "sim/stepped_packing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "sim/packing_run.h"
#include "support/small_case.h"

namespace berth {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

NodeSpec NodeOf(const char* name, int gpus) {
  return {.name = NodeName(name),
          .cpu = MilliCpu(32'000),
          .memory = MiB(131'072),
          .gpus = gpus,
          .model = GpuModel("G2"),
          .accounting = GpuAccounting::kManaged};
}

TracePod PodOf(int gpus, int64_t milli, int64_t cpu = 4'000) {
  return {"pod",
          {.cpu = MilliCpu(cpu),
           .memory = MiB(1'024),
           .gpus = gpus,
           .per_gpu = MilliGpu(milli),
           .accounting = GpuAccounting::kManaged}};
}

// Two nodes, of one GPU and of two.
Trace TwoNodes(std::vector<TracePod> pods) {
  return {.nodes = {NodeOf("small", 1), NodeOf("large", 2)},
          .pods = std::move(pods),
          .profile = SmallProfile()};
}

EventOrder InOrder(const Trace& trace) {
  EventOrder order;
  for (uint32_t pod = 0; pod < trace.pods.size(); ++pod) order.arrivals.push_back(pod);
  for (uint32_t node = 0; node < trace.nodes.size(); ++node) order.node_rank.push_back(node);
  return order;
}

TEST(SteppedPacking, AsksWhereEachPodGoes) {
  const Trace trace = TwoNodes({PodOf(1, 500), PodOf(2, 1'000), PodOf(1, 500)});
  SteppedPacking packing(trace, InOrder(trace));
  EXPECT_THAT(packing.who_can_take_it(), ElementsAre(1, 1));
  EXPECT_EQ(packing.Place(0).placed, MilliGpu(500));
  EXPECT_THAT(packing.who_can_take_it(), ElementsAre(0, 1)) << "two GPUs are asked for";
  EXPECT_EQ(packing.Place(1).placed, MilliGpu(2'000));
  EXPECT_THAT(packing.who_can_take_it(), ElementsAre(1, 0));
  EXPECT_EQ(packing.Place(0).placed, MilliGpu(500));
  EXPECT_TRUE(packing.over());
  EXPECT_EQ(packing.waiting(), nullptr);
  EXPECT_THAT(packing.who_can_take_it(), Each(0));
  EXPECT_EQ(packing.cluster().gpu_used(), packing.cluster().gpu_capacity());
  EXPECT_EQ(packing.curve().At(100), 100);
}

TEST(SteppedPacking, LeavesOutWhatFitsNowhere) {
  const Trace trace = TwoNodes({PodOf(4, 1'000), PodOf(2, 1'000), PodOf(2, 1'000), PodOf(1, 500)});
  SteppedPacking packing(trace, InOrder(trace));
  EXPECT_EQ(packing.waiting()->gpus, 2) << "no node has four GPUs";
  EXPECT_EQ(packing.Place(1).left_out, MilliGpu(6'000)) << "the first pod and the third";
  EXPECT_EQ(packing.waiting()->per_gpu, MilliGpu(500));
  EXPECT_EQ(packing.Place(0).left_out, MilliGpu(0));
  EXPECT_TRUE(packing.over());
}

TEST(SteppedPacking, IsOverWhenAPodIsSentWhereItDoesNotFit) {
  const Trace trace = TwoNodes({PodOf(2, 1'000), PodOf(1, 500)});
  SteppedPacking packing(trace, InOrder(trace));
  const SteppedPacking::Outcome outcome = packing.Place(0);
  EXPECT_EQ(outcome.placed, MilliGpu(0));
  EXPECT_EQ(outcome.left_out, MilliGpu(2'000));
  EXPECT_TRUE(packing.over());
  EXPECT_EQ(packing.waiting()->gpus, 2);
  EXPECT_EQ(packing.cluster().gpu_used(), MilliGpu(0));
}

// Of four pods of the mix three want half a GPU and 4 cores, one wants two GPUs and 8 cores.
TEST(SteppedPacking, SaysByHowMuchFragmentationGrows) {
  const Trace trace = TwoNodes({PodOf(1, 300), PodOf(1, 700)});
  SteppedPacking packing(trace, InOrder(trace));
  // On the large node: before, all of it is of use to all; after, 1,700 to nobody who wants two.
  EXPECT_DOUBLE_EQ(packing.Place(1).fragmentation, 1'700 / 4.0);
  // On the same GPU: 1,000 remain, which only those use who want half a GPU.
  EXPECT_DOUBLE_EQ(packing.Place(1).fragmentation, (1'000 - 1'700) / 4.0);
}

// Decided by a rule, it is the run of that policy.
TEST(SteppedPacking, FirstFitGivesTheRunOfThePolicyFirstFit) {
  for (const uint64_t seed : {1, 2, 3}) {
    Rng rng(seed);
    const Trace trace = TwoNodes({PodOf(1, 300), PodOf(2, 1'000), PodOf(1, 700), PodOf(1, 1'000)});
    const EventOrder order = DrawEventOrder(trace.nodes, trace.pods, rng);
    SteppedPacking packing(trace, order);
    while (!packing.over()) {
      const auto can = packing.who_can_take_it();
      std::optional<size_t> first;
      for (size_t node = 0; node < can.size(); ++node) {
        if (can[node] == 0) continue;
        if (!first || order.node_rank[node] < order.node_rank[*first]) first = node;
      }
      packing.Place(*first);
    }
    const auto run = RunPacking(FindSimPolicy("first-fit").value(), trace, order, rng);
    ASSERT_TRUE(run.ok()) << run.status();
    for (size_t percent = 0; percent < InflationCurve::kPoints; ++percent) {
      ASSERT_EQ(packing.curve().At(percent), run->curve.At(percent)) << seed << ", " << percent;
    }
  }
}

}  // namespace
}  // namespace berth
