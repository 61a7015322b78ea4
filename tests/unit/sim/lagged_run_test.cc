// A service that learns from a watch, and the pods that it crowds together.

#include "sim/lagged_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "policy/heuristics.h"
#include "sim/sim_policy.h"
#include "support/random_placements.h"
#include "support/small_case.h"

namespace berth {
namespace {

Demand ShareOf(int64_t milli) {
  Demand share = SmallShare();
  share.per_gpu = MilliGpu(milli);
  return share;
}

// Two nodes of two GPUs, and pods that want so much of one.
Trace CrowdedTrace(std::initializer_list<int64_t> shares) {
  Trace trace{.profile = SmallProfile()};
  for (const char* name : {"a", "b"}) {
    NodeSpec node = *SmallNode(name).spec;
    node.gpus = 2;
    trace.nodes.push_back(node);
  }
  for (const int64_t share : shares) trace.pods.push_back({"pod", ShareOf(share)});
  return trace;
}

EventOrder InOrder(const Trace& trace) {
  EventOrder order;
  for (uint32_t i = 0; i < trace.pods.size(); ++i) order.arrivals.push_back(i);
  for (uint32_t i = 0; i < trace.nodes.size(); ++i) order.node_rank.push_back(i);
  return order;
}

PackingResult FirstFit(const Trace& trace, const Lag& lag) {
  return RunLagged(MakeFirstFit(), trace, InOrder(trace), lag).value();
}

// Two fit on a. The third goes there too: kube-scheduler sees 0.8 GPUs free in sum, and the service
// an idle node. It would come back after five more placements.
TEST(RunLagged, SendsPodsToFullGpusThatItDoesNotKnowOf) {
  const Trace trace = CrowdedTrace({600, 600, 600});
  const PackingResult result = FirstFit(trace, {.placements = 5, .expectations = false});
  EXPECT_EQ(result.crowded_pods, 1);
  EXPECT_EQ(result.failed.all.pods, 0);
  EXPECT_EQ(result.curve.At(45), 30);
}

TEST(RunLagged, ExpectsThePodsThatItHasRanked) {
  const Trace trace = CrowdedTrace({600, 600, 600});
  const PackingResult result = FirstFit(trace, {.placements = 5, .expectations = true});
  EXPECT_EQ(result.crowded_pods, 0);
  EXPECT_EQ(result.curve.At(45), 45);
}

// With the last placement unseen, the third is crowded on a. It comes back after the small one has
// been placed, when the service has seen that a is full, and goes to b.
TEST(RunLagged, ACrowdedPodIsTriedAgainWhenTheServiceHasSeenMore) {
  const Trace trace = CrowdedTrace({600, 600, 600, 100, 600});
  const PackingResult result = FirstFit(trace, {.placements = 1, .expectations = false});
  EXPECT_EQ(result.crowded_pods, 1);
  EXPECT_EQ(result.failed.all.pods, 0);
  EXPECT_EQ(result.curve.At(62), 62.5);
}

TEST(RunLagged, PacksLikeOneThatSeesEverythingWhenWhatItDoesNotSeeIsExpected) {
  Rng rng(4);
  Trace trace{.profile = RandomProfile(rng, 30)};
  for (const Node& node : RandomNodes(rng, 40)) trace.nodes.push_back(*node.spec);
  for (int i = 0; i < 500; ++i) trace.pods.push_back({std::to_string(i), RandomDemand(rng)});
  EventOrder order = InOrder(trace);
  std::ranges::shuffle(order.node_rank, rng);
  for (const char* policy : {"fgd", "fgd-bestfit"}) {
    const PackingResult plain =
        RunPacking(FindSimPolicy(policy).value(), trace, order, rng).value();
    for (const Lag lag : {Lag{0, false}, Lag{0, true}, Lag{10, true}}) {
      const PackingResult lagged =
          RunLagged(MakeHeuristic(policy).value(), trace, order, lag).value();
      for (size_t percent = 0; percent <= 130; ++percent) {
        ASSERT_EQ(lagged.curve.At(percent), plain.curve.At(percent)) << policy << lag.placements;
      }
      if (lag.placements > 0) continue;
      EXPECT_EQ(lagged.crowded_pods, 0);
      EXPECT_EQ(lagged.failed.all.pods, plain.failed.all.pods);
    }
  }
}

}  // namespace
}  // namespace berth
