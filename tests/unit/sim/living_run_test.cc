// A cluster in which pods arrive, wait, run and leave.

#include "sim/living_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/event_queue.h"
#include "support/small_case.h"

namespace berth {
namespace {

using std::chrono::hours;

TEST(EventQueue, GivesEventsInTheOrderOfTimesAndThoseOfOneTimeAsTheyWereAdded) {
  EventQueue<std::string> queue;
  queue.Add(hours(2), "later");
  queue.Add(hours(1), "first");
  queue.Add(hours(1), "second");
  queue.Add(hours(0), "now");
  queue.Add(hours(1), "third");
  std::vector<std::string> order;
  while (!queue.empty()) order.push_back(queue.Pop());
  EXPECT_THAT(order, testing::ElementsAre("now", "first", "second", "third", "later"));
}

constexpr uint32_t kFour = 0, kTwo = 1, kHalf = 2;

// So many nodes of four GPUs, and pods that want all of them, two, and half of one.
Trace SmallTrace(size_t nodes) {
  const auto gpus = [](int count) {
    return Demand{.gpus = count, .per_gpu = kWholeGpu, .accounting = GpuAccounting::kManaged};
  };
  Trace trace{.pods = {{"four", gpus(4)}, {"two", gpus(2)}, {"half", SmallShare()}},
              .profile = SmallProfile()};
  for (size_t i = 0; i < nodes; ++i) {
    trace.nodes.push_back(*SmallNode("node-" + std::to_string(i)).spec);
  }
  return trace;
}

// An hour is a lifetime; nothing is warm-up.
LivingWorkload Workload(std::vector<LivingJob> jobs, std::vector<NodeEvent> node_events = {}) {
  return {.jobs = std::move(jobs),
          .node_events = std::move(node_events),
          .mean_lifetime = hours(1),
          .warm_up = hours(0),
          .horizon = hours(10)};
}

LivingResult Live(const Trace& trace, const LivingWorkload& workload,
                  const QueueRule& queue = kBackfill) {
  Rng rng(1);
  return RunLiving(FindSimPolicy("first-fit").value(), trace, workload, queue, rng).value();
}

double WaitOf(const LivingResult& result, JobSize size) {
  return result.waits_by_size[static_cast<size_t>(size)].mean;
}

TEST(RunLiving, PodsRunAndLeaveAndTheirPlaceIsTakenAgain) {
  const LivingResult result =
      Live(SmallTrace(1), Workload({{hours(1), hours(3), kFour}, {hours(2), hours(4), kTwo}}));
  // 4 GPUs from 1 to 4, 2 GPUs from 4 to 8, of 40 GPU hours.
  EXPECT_DOUBLE_EQ(result.allocated, 20.0 / 40);
  EXPECT_EQ(result.waits.jobs, 2);
  EXPECT_EQ(result.waits.still_waiting, 0);
  EXPECT_DOUBLE_EQ(result.waits.mean, (0 + 2) / 2.0);
  EXPECT_DOUBLE_EQ(WaitOf(result, JobSize::kSeveralGpus), 1);
}

TEST(RunLiving, WhoWaitsAtTheHorizonCountsWithTheTimeUntilThen) {
  const LivingResult result =
      Live(SmallTrace(1), Workload({{hours(0), hours(20), kFour}, {hours(4), hours(1), kHalf}}));
  EXPECT_DOUBLE_EQ(result.allocated, 1);
  EXPECT_EQ(result.waits.still_waiting, 1);
  EXPECT_DOUBLE_EQ(WaitOf(result, JobSize::kShare), 6);
}

TEST(RunLiving, TheOldestBlocksTheOthersOrTheyOvertake) {
  const LivingWorkload workload = Workload(
      {{hours(0), hours(5), kTwo}, {hours(1), hours(1), kFour}, {hours(2), hours(1), kTwo}});
  const LivingResult fifo = Live(SmallTrace(1), workload, kFifo);
  EXPECT_DOUBLE_EQ(fifo.waits.mean, (0 + 4 + 4) / 3.0);
  const LivingResult backfill = Live(SmallTrace(1), workload, kBackfill);
  EXPECT_DOUBLE_EQ(backfill.waits.mean, (0 + 4 + 0) / 3.0);
}

TEST(RunLiving, OnlySoManyAreTriedInVain) {
  const LivingWorkload workload = Workload({{hours(0), hours(5), kTwo},
                                            {hours(1), hours(1), kFour},
                                            {hours(1), hours(1), kFour},
                                            {hours(2), hours(1), kTwo}});
  EXPECT_DOUBLE_EQ(Live(SmallTrace(1), workload, {"two", 2}).waits.mean, (0 + 4 + 5 + 5) / 4.0);
  EXPECT_DOUBLE_EQ(Live(SmallTrace(1), workload, {"three", 3}).waits.mean, (0 + 4 + 5 + 0) / 4.0);
}

TEST(RunLiving, WhatIsBeforeTheWarmUpIsNotLookedAt) {
  LivingWorkload workload = Workload({{hours(1), hours(5), kFour}, {hours(7), hours(1), kTwo}});
  workload.warm_up = hours(5);
  const LivingResult result = Live(SmallTrace(1), workload);
  EXPECT_EQ(result.waits.jobs, 1);
  EXPECT_DOUBLE_EQ(result.allocated, (4.0 + 2) / 20);
}

TEST(RunLiving, PodsOfANodeThatFailsRunAnewElsewhereOrWhenItReturns) {
  using Kind = NodeEvent::Kind;
  const LivingWorkload workload =
      Workload({{hours(0), hours(4), kFour}, {hours(0), hours(6), kFour}},
               {{hours(3), 0, Kind::kFails}, {hours(5), 0, Kind::kReturns}});
  const LivingResult result = Live(SmallTrace(2), workload);
  EXPECT_EQ(result.evicted, 1);
  // The first from 0 to 3 and from 5 to 9, the second from 0 to 6.
  EXPECT_DOUBLE_EQ(result.allocated, 4.0 * (3 + 4 + 6) / 80);
  EXPECT_DOUBLE_EQ(result.waits.mean, 2 / 2.0);
}

TEST(RunLiving, ACordonedNodeKeepsItsPodsAndTakesNoOthers) {
  using Kind = NodeEvent::Kind;
  const LivingWorkload workload =
      Workload({{hours(0), hours(9), kTwo}, {hours(2), hours(1), kTwo}},
               {{hours(1), 0, Kind::kCordoned}, {hours(6), 0, Kind::kUncordoned}});
  const LivingResult result = Live(SmallTrace(1), workload);
  EXPECT_EQ(result.evicted, 0);
  EXPECT_DOUBLE_EQ(result.allocated, 2.0 * (9 + 1) / 40);
  EXPECT_DOUBLE_EQ(result.waits.mean, 4 / 2.0);
}

TEST(RunLiving, AFailedNodeStaysCordonedAndACordonedOneStaysFailed) {
  using Kind = NodeEvent::Kind;
  const std::vector<LivingJob> job = {{hours(4), hours(1), kTwo}};
  // Back at 3, but cordoned until 7.
  const LivingResult cordoned =
      Live(SmallTrace(1), Workload(job, {{hours(1), 0, Kind::kCordoned},
                                         {hours(2), 0, Kind::kFails},
                                         {hours(3), 0, Kind::kReturns},
                                         {hours(7), 0, Kind::kUncordoned}}));
  EXPECT_DOUBLE_EQ(cordoned.waits.mean, 3);
  // Uncordoned at 3, but away until 6.
  const LivingResult failed = Live(SmallTrace(1), Workload(job, {{hours(1), 0, Kind::kCordoned},
                                                                 {hours(2), 0, Kind::kFails},
                                                                 {hours(3), 0, Kind::kUncordoned},
                                                                 {hours(6), 0, Kind::kReturns}}));
  EXPECT_DOUBLE_EQ(failed.waits.mean, 2);
}

TEST(DrawLivingWorkload, OffersTheLoadAndIsTheSameForTheSameSeed) {
  const Trace trace = SmallTrace(200);
  Rng rng(7), same(7), other(8);
  const LivingWorkload workload = DrawLivingWorkload(trace, 0.9, rng);
  EXPECT_EQ(workload.jobs, DrawLivingWorkload(trace, 0.9, same).jobs);
  EXPECT_NE(workload.jobs, DrawLivingWorkload(trace, 0.9, other).jobs);
  double gpu_time = 0;
  for (const LivingJob& job : workload.jobs) {
    gpu_time +=
        trace.pods[job.pod].demand.TotalGpu().value() * static_cast<double>(job.runs.count());
  }
  const double offered = gpu_time / (200 * 4'000.0 * static_cast<double>(workload.horizon.count()));
  EXPECT_NEAR(offered, 0.9, 0.06);
}

// Whatever happens, what is in use is what runs: checked by the cluster's own invariants on the
// way.
TEST(RunLiving, GivesTheSameForTheSameSeedWithNodesComingAndGoing) {
  const Trace trace = SmallTrace(20);
  Rng rng(3);
  LivingWorkload workload = DrawLivingWorkload(trace, 1.2, rng);
  for (int i = 0; i < 100; ++i) {
    const auto kind = static_cast<NodeEvent::Kind>(rng() % 4);
    workload.node_events.push_back(
        {workload.horizon * i / 100, static_cast<uint32_t>(rng() % 20), kind});
  }
  for (const SimPolicy& policy : SimPolicies()) {
    Rng once(5), twice(5);
    const LivingResult a = RunLiving(policy, trace, workload, kBackfill, once).value();
    const LivingResult b = RunLiving(policy, trace, workload, kBackfill, twice).value();
    EXPECT_EQ(a.allocated, b.allocated) << policy.name;
    EXPECT_EQ(a.waits.mean, b.waits.mean) << policy.name;
    EXPECT_GT(a.evicted, 0) << policy.name;
    EXPECT_GT(a.allocated, 0.3) << policy.name;
    EXPECT_LT(a.allocated, 1) << policy.name;
  }
}

}  // namespace
}  // namespace berth
