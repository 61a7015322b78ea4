#include <gtest/gtest.h>
#include <spdlog/sinks/null_sink.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "base/rng.h"
#include "cluster/cluster_state.h"
#include "example_cluster.h"

namespace berth {
namespace {

constexpr int kNodes = 8;
constexpr int kPods = 40;

NodeName NodeNumber(uint64_t i) { return NodeName("n" + std::to_string(i % kNodes)); }

// Pods take one core and at most one GPU each, so a view that is torn would not add up.
void ExpectSound(const ClusterView& view) {
  ClusterTotals sums;
  sums.pending_pods = view.totals().pending_pods;
  for (const auto& node : view.nodes()) {
    ASSERT_EQ(view.Find(node->name().value()), node.get());
    const MilliCpu used = node->spec->cpu - node->free.cpu;
    ASSERT_EQ(used.value() % 1'000, 0);
    ASSERT_EQ(node->free.gpus.size(), static_cast<size_t>(node->spec->gpus));
    const int64_t pods = used.value() / 1'000;
    ASSERT_EQ(node->free.TotalGpu().value(), std::max<int64_t>(node->spec->gpus - pods, 0) * 1'000);
    ++sums.nodes;
    sums.gpus += node->spec->gpus;
    sums.gpu_capacity += kWholeGpu * node->spec->gpus;
    sums.gpu_free += node->free.TotalGpu();
    sums.cpu_capacity += node->spec->cpu;
    sums.cpu_free += node->free.cpu;
    sums.bound_pods += pods;
  }
  ASSERT_EQ(view.totals(), sums);
}

class Reader {
 public:
  explicit Reader(const ClusterState& state, const std::atomic<bool>& done)
      : thread_([&] {
          uint64_t version = 0;
          bool was_ready = false;
          while (!done.load()) {
            const bool ready = state.Ready();
            ASSERT_TRUE(ready || !was_ready);
            was_ready = ready;
            const ClusterViewPtr view = state.View();
            ASSERT_GE(view->version(), version);
            version = view->version();
            ExpectSound(*view);
          }
        }) {}

 private:
  std::jthread thread_;
};

// Ranks pods onto nodes as the scoring service does; some show up there later, some never.
class Asker {
 public:
  explicit Asker(ClusterState& state, const std::atomic<bool>& done)
      : thread_([&] {
          Clock::TimePoint now;
          for (uint64_t serial = 0; !done.load(); ++serial) {
            const PodUid uid("p" + std::to_string(serial % 5'000));
            now += std::chrono::milliseconds(10);
            state.Withdraw(uid);
            const ClusterViewPtr expected = state.ExpectedView(now);
            for (const auto& node : expected->nodes()) {
              ASSERT_EQ(expected->Find(node->name().value()), node.get());
              ASSERT_EQ(node->free.gpus.size(), static_cast<size_t>(node->spec->gpus));
            }
            state.Expect(uid, NodeNumber(serial), WholeGpus(1), now);
          }
        }) {}

 private:
  std::jthread thread_;
};

void ApplyAny(ClusterState& state, Rng& rng, uint64_t serial) {
  const uint64_t kind = rng() % 100;
  if (kind < 15) {
    state.UpsertNode(GpuNode(NodeNumber(rng()).value(), static_cast<int>(2 + rng() % 7)));
  } else if (kind < 20) {
    state.RemoveNode(NodeNumber(rng()));
  } else if (kind < 70) {
    state.UpsertPod(Bound("p" + std::to_string(serial), WholeGpus(1), NodeNumber(rng()).value()));
  } else {
    state.RemovePod(PodUid("p" + std::to_string(serial - std::min(serial, rng() % kPods))));
  }
}

void CompleteAnEpoch(ClusterState& state, Rng& rng, uint64_t serial) {
  state.BeginEpoch();
  for (int i = 0; i < kNodes; ++i) state.UpsertNode(GpuNode(NodeNumber(i).value(), 8));
  for (int i = 0; i < kPods; ++i) ApplyAny(state, rng, serial + i);
  if (rng() % 4 == 0) {
    state.AbandonEpoch();
  } else {
    state.CompleteEpoch();
  }
}

TEST(ClusterConcurrency, ReadersSeeSoundViewsWhileOneWriterWorks) {
  Metrics metrics;
  Logger log("test", std::make_shared<spdlog::sinks::null_sink_mt>());
  ClusterState state(BestFitChooser, EmptyProfile(), metrics, log);
  std::atomic<bool> done = false;
  std::vector<std::unique_ptr<Reader>> readers;
  auto asker = std::make_unique<Asker>(state, done);
  for (int i = 0; i < 3; ++i) readers.push_back(std::make_unique<Reader>(state, done));

  constexpr uint64_t kSeed = 20260101;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  Rng rng(kSeed);
  for (uint64_t serial = 0; serial < 5'000; ++serial) {
    ApplyAny(state, rng, serial);
    if (serial % 500 == 0) CompleteAnEpoch(state, rng, serial);
  }
  done = true;
  readers.clear();
  asker.reset();
  ExpectSound(*state.View());
  EXPECT_TRUE(state.Ready());
}

}  // namespace
}  // namespace berth
