#include "sim/packing_recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "cluster/fragmentation.h"
#include "sim/packing_run.h"
#include "sim/placer.h"
#include "support/random_placements.h"

namespace berth {
namespace {

using testing::DoubleNear;

Trace RandomTrace(Rng& rng) {
  Trace trace{.profile = RandomProfile(rng, 60)};
  for (const Node& node : RandomNodes(rng, 20)) trace.nodes.push_back(*node.spec);
  for (int i = 0; i < 60; ++i) trace.pods.push_back({std::to_string(i), RandomDemand(rng)});
  return trace;
}

// Every node worked out anew after every arrival.
class Naive {
 public:
  Naive(const Trace& trace, MilliGpu capacity)
      : trace_(trace),
        splitter_(trace.nodes, trace.pods),
        means_(kIdleGpuKinds + 1, PercentMeans(capacity)) {}

  void Record(const SimCluster& cluster, MilliGpu arrived) {
    std::vector<double> sums(means_.size());
    for (const Node& node : cluster.nodes()) {
      const IdleGpuSplit split = splitter_.Split(*node.spec, node.free);
      for (size_t i = 0; i < kIdleGpuKinds; ++i) sums[i] += split[i];
      sums.back() += Fragmentation(node.spec->model, node.free, *trace_.profile);
    }
    for (size_t i = 0; i < sums.size(); ++i) means_[i].Add(arrived, means_[i].PercentOf(sums[i]));
  }

  void ExpectSame(const PackingRecord& record, size_t percent) const {
    for (size_t i = 0; i < means_.size(); ++i) {
      const PercentMeans& means = i < kIdleGpuKinds ? record.idle[i] : record.fragmentation;
      const std::optional<double> want = means_[i].At(percent);
      const std::optional<double> got = means.At(percent);
      ASSERT_EQ(got.has_value(), want.has_value());
      if (!got) continue;
      ASSERT_THAT(*got, DoubleNear(*want, 1e-9));
    }
  }

 private:
  const Trace& trace_;
  const IdleGpuSplitter splitter_;
  std::vector<PercentMeans> means_;
};

TEST(PackingRecorder, GivesWhatWorkingOutEveryNodeAnewGives) {
  for (const char* policy : {"fgd", "random", "spread"}) {
    Rng rng(7);
    const Trace trace = RandomTrace(rng);
    const Demands demands(trace.pods);
    SimCluster cluster(trace.nodes);
    const SimPolicy chosen = FindSimPolicy(policy).value();
    Placer placer(chosen, cluster, demands, trace.profile, rng);
    PackingRecorder recorder(trace);
    Naive naive(trace, cluster.gpu_capacity());
    MilliGpu arrived;
    for (int i = 0; i < 400; ++i) {
      const auto pod = static_cast<size_t>(Uniform(rng, 0, 59));
      ASSERT_TRUE(placer.TryPlace(demands.of_pod[pod]).ok());
      arrived += trace.pods[pod].demand.TotalGpu();
      recorder.Record(cluster, arrived);
      naive.Record(cluster, arrived);
    }
    EXPECT_GT(arrived, cluster.gpu_capacity());
    for (size_t percent = 0; percent < PercentMeans::kPoints; ++percent) {
      naive.ExpectSame(recorder.record(), percent);
    }
    for (size_t i = 0; i < cluster.nodes().size(); ++i) {
      EXPECT_EQ(recorder.nodes()[i].free, cluster.nodes()[i].free);
    }
  }
}

TEST(PackingRecorder, SplitsWhatTheRunLeavesIdleAndDoesNotTouchTheRun) {
  Rng rng(8);
  const Trace trace = RandomTrace(rng);
  const EventOrder order = DrawEventOrder(trace.nodes, trace.pods, rng);
  const SimPolicy fgd = FindSimPolicy("fgd").value();
  PackingRecorder recorder(trace);
  Rng first(1), second(1);
  const PackingResult watched = RunPacking(fgd, trace, order, first, &recorder).value();
  const PackingResult alone = RunPacking(fgd, trace, order, second).value();
  for (size_t percent = 0; percent < PercentMeans::kPoints; ++percent) {
    ASSERT_EQ(watched.curve.At(percent), alone.curve.At(percent));
    if (!watched.curve.At(percent)) continue;
    double idle = 0;
    for (const PercentMeans& kind : recorder.record().idle) idle += kind.At(percent).value();
    EXPECT_THAT(idle, DoubleNear(100 - *watched.curve.At(percent), 0.005 + 1e-9));  // hundredths
  }
}

}  // namespace
}  // namespace berth
