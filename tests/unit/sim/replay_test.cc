// The jobs of a trace, made ready, played and summed up.

#include "sim/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/replay_summary.h"
#include "support/small_case.h"

namespace berth {
namespace {

using std::chrono::hours;
using ::testing::DoubleEq;
using ::testing::ElementsAre;

// GPUs of which a node has four.
TraceJob Job(std::string name, SimTime submitted, SimTime runs, int gpus, std::string queue = "") {
  const Demand demand{.gpus = gpus,
                      .per_gpu = gpus > 0 ? kWholeGpu : MilliGpu(),
                      .accounting = gpus > 0 ? GpuAccounting::kManaged : GpuAccounting::kNone};
  return {.pod = {std::move(name), demand},
          .submitted = submitted,
          .runs = runs,
          .queue = std::move(queue)};
}

Replay OnOneNode(std::vector<TraceJob> jobs) {
  return MakeReplay({*SmallNode().spec}, std::move(jobs)).value();
}

LivingHistory Play(const Replay& replay) {
  Rng rng(1);
  return PlayLiving(FindSimPolicy("fgd").value(), replay.trace, replay.workload, kBackfill, rng)
      .value();
}

TEST(MakeReplay, OrdersJobsByTheirSubmissionAndBeginsWithTheFirst) {
  TraceJob gang = Job("late", hours(9), hours(1), 2);
  gang.pods = 3;
  gang.priority = 7;
  const Replay replay =
      OnOneNode({gang, Job("a", hours(5), hours(2), 1), Job("b", hours(5), hours(3), 0)});
  EXPECT_EQ(replay.jobs[2], gang);
  EXPECT_THAT(replay.workload.jobs, ElementsAre(LivingJob{hours(0), hours(2), 0, 1, 0},
                                                LivingJob{hours(0), hours(3), 1, 1, 0},
                                                LivingJob{hours(4), hours(1), 2, 3, 7}));
  EXPECT_EQ(replay.trace.pods[2], gang.pod);
  EXPECT_EQ(replay.trace.profile->classes()[0], (ClassCount{ClassOf(gang.pod.demand), 3}));
}

TEST(MakeReplay, MayBeOfNoJobs) {
  const Replay replay = OnOneNode({});
  const LivingHistory history = Play(replay);
  EXPECT_EQ(history.end, SimTime(0));
  EXPECT_EQ(SummarizeReplay(replay, history).waits.jobs, 0);
  EXPECT_TRUE(SliceLoad(history, 24).empty());
}

TEST(MakeReplay, RefusesTimesThatCannotBeCounted) {
  const std::vector<TraceJob> jobs(5'000,
                                   Job("a", hours(0), std::chrono::seconds(1'000'000'000), 1));
  EXPECT_EQ(MakeReplay({}, jobs).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(SummarizeReplay, SaysWhoWaitedHowLongAndWhoWasRefused) {
  const Replay replay = OnOneNode(
      {Job("first", hours(0), hours(4), 4, "red"), Job("five", hours(1), hours(1), 5),
       Job("second", hours(1), hours(1), 4, "blue"), Job("third", hours(2), hours(1), 1, "blue"),
       Job("none", hours(3), hours(1), 0, "red")});
  const ReplaySummary summary = SummarizeReplay(replay, Play(replay));
  EXPECT_EQ(summary.left, 4);
  EXPECT_THAT(summary.refused, ElementsAre("five"));
  EXPECT_EQ(summary.in_use_at_end, MilliGpu(0));
  EXPECT_DOUBLE_EQ(summary.gpus, (4 * 4 + 4 * 1 + 1 * 1) / 6.0);
  EXPECT_EQ(summary.waits.jobs, 4);
  EXPECT_EQ(summary.waits.refused, 1);
  EXPECT_DOUBLE_EQ(summary.waits.mean, 3600 * (0 + 3 + 3 + 0) / 4.0);
  EXPECT_DOUBLE_EQ(summary.waits.median, 0);
  EXPECT_DOUBLE_EQ(summary.waits.p99, 3600 * 3);
  EXPECT_DOUBLE_EQ(summary.waits.longest, 3600 * 3);
  const WaitTimes& several = summary.waits_by_size[static_cast<size_t>(JobSize::kSeveralGpus)];
  EXPECT_EQ(several.jobs, 2);
  EXPECT_EQ(several.refused, 1);
  EXPECT_DOUBLE_EQ(several.mean, 3600 * 1.5);
  EXPECT_DOUBLE_EQ(summary.waits_by_queue.at("blue").mean, 3600 * 3);
  EXPECT_DOUBLE_EQ(summary.waits_by_queue.at("red").mean, 0);
}

TEST(SliceLoad, AveragesOverEqualStretchesOfTime) {
  LivingHistory history{.end = hours(10)};
  history.load = {
      {hours(0), MilliGpu(4'000), 0}, {hours(1), MilliGpu(0), 10}, {hours(6), MilliGpu(1'500), 0}};
  const std::vector<LoadSlice> halves = SliceLoad(history, 2);
  ASSERT_EQ(halves.size(), 2u);
  EXPECT_DOUBLE_EQ(halves[0].gpus, 4 * 0.2);
  EXPECT_DOUBLE_EQ(halves[0].waiting, 10 * 0.8);
  EXPECT_EQ(halves[1].from, hours(5));
  EXPECT_DOUBLE_EQ(halves[1].gpus, 1.5 * 0.8);
  EXPECT_DOUBLE_EQ(halves[1].waiting, 10 * 0.2);
  double sum = 0;
  for (const LoadSlice& slice : SliceLoad(history, 7)) sum += slice.gpus / 7;
  EXPECT_NEAR(sum, SliceLoad(history, 1)[0].gpus, 1e-9);
}

TEST(SliceLoad, LeavesOutSlicesThatAreTooShortToBe) {
  LivingHistory history{.end = SimTime(3)};
  history.load = {{SimTime(0), MilliGpu(1'000), 0}};
  const std::vector<LoadSlice> slices = SliceLoad(history, 10);
  ASSERT_EQ(slices.size(), 3u);
  EXPECT_THAT(slices[2].gpus, DoubleEq(1));
}

}  // namespace
}  // namespace berth
