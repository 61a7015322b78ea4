// A cluster in which pods arrive, wait, run and leave.

#include "sim/living_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "cluster/feasibility.h"
#include "cluster/gpu_choice.h"
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

LivingHistory Play(const Trace& trace, const LivingWorkload& workload,
                   const QueueRule& queue = kBackfill) {
  Rng rng(1);
  return PlayLiving(FindSimPolicy("first-fit").value(), trace, workload, queue, rng).value();
}

using State = JobHistory::State;

TEST(PlayLiving, AGangIsPlacedAtOnceOrNotAtAll) {
  // A node is busy until 2, so for two of four GPUs there is no room before, and what it takes in
  // vain is given back: one of two GPUs fits beside.
  const LivingHistory history = Play(SmallTrace(2), Workload({{hours(0), hours(2), kTwo},
                                                              {hours(1), hours(3), kFour, 2},
                                                              {hours(1), hours(1), kTwo, 3}}));
  EXPECT_THAT(history.jobs, testing::ElementsAre(JobHistory{State::kLeft, hours(0)},
                                                 JobHistory{State::kLeft, hours(1)},
                                                 JobHistory{State::kLeft, hours(0)}));
  const std::vector<Load> load = {{hours(0), MilliGpu(2'000), 0},
                                  {hours(1), MilliGpu(8'000), 1},
                                  {hours(2), MilliGpu(8'000), 0},
                                  {hours(5), MilliGpu(0), 0}};
  EXPECT_EQ(history.load, load);
}

TEST(PlayLiving, AGangThatLosesOneOfItsNodesLeavesTheOtherToo) {
  using Kind = NodeEvent::Kind;
  const LivingHistory history =
      Play(SmallTrace(2), Workload({{hours(0), hours(2), kTwo, 4}, {hours(1), hours(1), kFour}},
                                   {{hours(1), 1, Kind::kFails}, {hours(4), 1, Kind::kReturns}}));
  EXPECT_EQ(history.evicted, 1);
  EXPECT_EQ(history.jobs[0], (JobHistory{State::kLeft, hours(3)}));
  EXPECT_EQ(history.jobs[1], (JobHistory{State::kLeft, hours(0)}));
}

TEST(PlayLiving, HigherPrioritiesGoFirstButPreemptNobody) {
  const LivingHistory history = Play(SmallTrace(1),
                                     Workload({{hours(0), hours(3), kFour, 1, 0},
                                               {hours(1), hours(1), kFour, 1, 5},
                                               {hours(1), hours(1), kFour, 1, 9},
                                               {hours(2), hours(1), kFour, 1, 9}}),
                                     kFifo);
  EXPECT_EQ(history.jobs[0].waited, hours(0));
  EXPECT_EQ(history.jobs[1].waited, hours(4));
  EXPECT_EQ(history.jobs[2].waited, hours(2));
  EXPECT_EQ(history.jobs[3].waited, hours(2));
}

TEST(PlayLiving, RefusesWhatNotEvenTheIdleClusterCouldTakeAndGoesOn) {
  const LivingHistory history = Play(SmallTrace(2),
                                     Workload({{hours(0), hours(1), kFour, 3},
                                               {hours(0), hours(1), kTwo, 5},
                                               {hours(0), hours(1), kTwo, 4},
                                               {hours(0), hours(1), kHalf}}),
                                     kFifo);
  EXPECT_EQ(history.jobs[0].state, State::kRefused);
  EXPECT_EQ(history.jobs[1].state, State::kRefused);
  EXPECT_EQ(history.jobs[2], (JobHistory{State::kLeft, hours(0)}));
  EXPECT_EQ(history.jobs[3], (JobHistory{State::kLeft, hours(1)}));
}

TEST(PlayLiving, GoesOnUntilNothingHappensWhereThatIsTheHorizon) {
  LivingWorkload workload = Workload({{hours(0), hours(90), kFour}, {hours(0), hours(0), kFour}});
  workload.horizon = kUntilNothingHappens;
  const LivingHistory history = Play(SmallTrace(1), workload);
  EXPECT_EQ(history.end, hours(90));
  EXPECT_EQ(history.jobs[1], (JobHistory{State::kLeft, hours(90)}));
  EXPECT_EQ(history.load.back(), (Load{hours(90), MilliGpu(0), 0}));
}

// The same rules in the plainest way: who waits is tried on every node at every event, and what is
// free is counted anew from what runs.
class NaivePlay {
 public:
  NaivePlay(const Trace& trace, const LivingWorkload& workload, size_t tried_in_vain)
      : trace_(trace), workload_(workload), tried_in_vain_(tried_in_vain) {}

  std::vector<JobHistory> Play() {
    std::multimap<SimTime, NodeEvent> node_events;
    for (const NodeEvent& event : workload_.node_events) node_events.emplace(event.time, event);
    histories_.resize(workload_.jobs.size());
    since_.resize(workload_.jobs.size());
    while (Step(node_events) < workload_.horizon) {
    }
    for (const size_t job : waiting_) histories_[job].waited += workload_.horizon - since_[job];
    return histories_;
  }

 private:
  struct Running {
    size_t job;
    SimTime until;
    std::vector<std::pair<size_t, GpuSet>> places;
  };

  // The next thing that happens: when times are equal first to nodes, then arrivals, then
  // departures in the order of their starts, as the events became known.
  SimTime Step(std::multimap<SimTime, NodeEvent>& node_events) {
    const auto departure = std::ranges::min_element(running_, {}, &Running::until);
    const SimTime leaves = departure == running_.end() ? SimTime::max() : departure->until;
    const SimTime arrives =
        arrived_ == workload_.jobs.size() ? SimTime::max() : workload_.jobs[arrived_].arrives;
    const SimTime node = node_events.empty() ? SimTime::max() : node_events.begin()->first;
    now_ = std::min({leaves, arrives, node});
    if (now_ >= workload_.horizon) return now_;
    if (node == now_) {
      Happen(node_events.begin()->second);
      node_events.erase(node_events.begin());
    } else if (arrives == now_) {
      Wait(arrived_++);
    } else {
      histories_[departure->job].state = State::kLeft;
      running_.erase(departure);
    }
    TryAll();
    return now_;
  }

  void Happen(const NodeEvent& event) {
    using Kind = NodeEvent::Kind;
    if (event.kind == Kind::kFails) failed_.insert(event.node);
    if (event.kind == Kind::kReturns) failed_.erase(event.node);
    if (event.kind == Kind::kCordoned) cordoned_.insert(event.node);
    if (event.kind == Kind::kUncordoned) cordoned_.erase(event.node);
    if (event.kind != Kind::kFails) return;
    std::vector<size_t> evicted;
    std::erase_if(running_, [&](const Running& running) {
      const bool is_hit = std::ranges::any_of(
          running.places, [&](const auto& place) { return place.first == event.node; });
      if (is_hit) evicted.push_back(running.job);
      return is_hit;
    });
    for (const size_t job : evicted) Wait(job);
  }

  void Wait(size_t job) {
    histories_[job].state = State::kWaits;
    since_[job] = now_;
    waiting_.push_back(job);
    std::ranges::stable_sort(waiting_, std::greater(),
                             [&](size_t i) { return workload_.jobs[i].priority; });
  }

  void TryAll() {
    size_t in_vain = 0;
    for (const size_t job : std::vector(waiting_)) {
      if (in_vain == tried_in_vain_) return;
      if (!TryOne(job)) ++in_vain;
    }
  }

  bool TryOne(size_t job) {
    const LivingJob& wanted = workload_.jobs[job];
    running_.push_back({job, now_ + wanted.runs, {}});
    for (uint32_t pod = 0; pod < wanted.pods; ++pod) {
      if (PlaceOne(trace_.pods[wanted.pod].demand)) continue;
      running_.pop_back();
      return false;
    }
    std::erase(waiting_, job);
    histories_[job].state = State::kRuns;
    histories_[job].waited += now_ - since_[job];
    return true;
  }

  // On the first node that fits, for the last that runs.
  bool PlaceOne(const Demand& demand) {
    for (size_t i = 0; i < trace_.nodes.size(); ++i) {
      if (failed_.contains(i) || cordoned_.contains(i)) continue;
      FreeState free = IdleState(trace_.nodes[i]);
      for (const Running& running : running_) {
        const Demand& taken = trace_.pods[workload_.jobs[running.job].pod].demand;
        for (const auto& [node, gpus] : running.places) {
          if (node == i) free = AfterPlacing(free, taken, gpus);
        }
      }
      const Node node{.spec = std::make_shared<const NodeSpec>(trace_.nodes[i]), .free = free};
      if (CheckFit(node, demand) != Refusal::kNone) continue;
      running_.back().places.emplace_back(i, ChooseGpusBestFit(free, demand));
      return true;
    }
    return false;
  }

  const Trace& trace_;
  const LivingWorkload& workload_;
  const size_t tried_in_vain_;
  SimTime now_;
  size_t arrived_ = 0;
  std::vector<size_t> waiting_;
  std::vector<SimTime> since_;
  std::vector<Running> running_;  // in the order of their starts
  std::set<size_t> failed_, cordoned_;
  std::vector<JobHistory> histories_;
};

TEST(PlayLiving, DoesWhatThePlainestModelDoes) {
  const Trace trace = SmallTrace(4);
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    Rng rng(seed);
    LivingWorkload workload = DrawLivingWorkload(trace, 1.1, rng);
    for (LivingJob& job : workload.jobs) {
      job.pods = 1 + static_cast<uint32_t>(rng() % 3);
      job.priority = static_cast<int64_t>(rng() % 2);
    }
    for (int i = 0; i < 20; ++i) {
      const auto kind = static_cast<NodeEvent::Kind>(rng() % 4);
      workload.node_events.push_back(
          {workload.horizon * i / 20, static_cast<uint32_t>(rng() % 4), kind});
    }
    for (const QueueRule& queue : {kFifo, QueueRule{"three", 3}, kBackfill}) {
      const LivingHistory history = Play(trace, workload, queue);
      EXPECT_EQ(history.jobs, NaivePlay(trace, workload, queue.tried_in_vain).Play())
          << "seed " << seed << ", " << queue.name;
    }
  }
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
