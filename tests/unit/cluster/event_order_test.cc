#include <gtest/gtest.h>
#include <spdlog/sinks/null_sink.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "cluster/cluster_state.h"
#include "example_cluster.h"

namespace berth {
namespace {

struct Event {
  std::string what;
  std::function<void(ClusterState&)> apply;
};

Event Node(const NodeSpec& node) {
  return {"node " + node.name.value(), [=](ClusterState& state) { state.UpsertNode(node); }};
}

Event BoundPod(const Pod& pod) {
  return {"pod " + pod.uid.value() + " bound", [=](ClusterState& state) { state.UpsertPod(pod); }};
}

Event PodGone(const std::string& uid) {
  return {"pod " + uid + " gone", [=](ClusterState& state) { state.RemovePod(PodUid(uid)); }};
}

// What the facts say in the end, whatever the order: how much is free, not on which GPU.
struct Net {
  GpuFreeList free_sorted;
  MilliCpu free_cpu;
  int64_t bound = 0;
};

class EventOrder : public ::testing::TestWithParam<bool> {
 protected:
  static bool InAnEpoch() { return GetParam(); }

  void ExpectInAnyOrder(const std::vector<Event>& events, const Net& net) {
    std::vector<size_t> order(events.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    do {
      Metrics metrics;
      ClusterState state(BestFitChooser, EmptyProfile(), metrics, log_);
      std::string story;
      if (InAnEpoch()) state.BeginEpoch();
      for (const size_t i : order) {
        events[i].apply(state);
        story += events[i].what + "; ";
      }
      if (InAnEpoch()) state.CompleteEpoch();
      ExpectNet(*state.View(), metrics, net, story);
    } while (std::next_permutation(order.begin(), order.end()));
  }

  static void ExpectNet(const ClusterView& view, const Metrics& metrics, const Net& net,
                        const std::string& story) {
    ASSERT_EQ(view.nodes().size(), 1u) << story;
    FreeState free = view.nodes()[0]->free;
    std::sort(free.gpus.begin(), free.gpus.end());
    EXPECT_EQ(free.gpus, net.free_sorted) << story;
    EXPECT_EQ(free.cpu, net.free_cpu) << story;
    EXPECT_EQ(view.totals().bound_pods, net.bound) << story;
    EXPECT_EQ(view.totals().pending_pods, 0) << story;
    const std::string text = metrics.Text();
    EXPECT_NE(text.find("berth_cluster_overcommitted_nodes 0\n"), std::string::npos) << story;
    EXPECT_NE(text.find("berth_cluster_pods{state=\"parked\"} 0\n"), std::string::npos) << story;
  }

  Logger log_{"test", std::make_shared<spdlog::sinks::null_sink_mt>()};
};

TEST_P(EventOrder, PodThatIsGoneLeavesNothingBehind) {
  ExpectInAnyOrder({Node(GpuNode("n", 2)), BoundPod(Bound("gone", WholeGpus(1), "n")),
                    PodGone("gone"), BoundPod(Bound("stays", Share(400), "n"))},
                   {Milli({600, 1000}), MilliCpu(63'000), 1});
}

// "new" has the GPU that "old" gave up, even when we hear of it before.
TEST_P(EventOrder, PodTakesWhatAnotherGaveUp) {
  ExpectInAnyOrder({Node(GpuNode("n", 1)), BoundPod(Bound("old", WholeGpus(1), "n")),
                    PodGone("old"), BoundPod(Bound("new", WholeGpus(1), "n"))},
                   {Milli({0}), MilliCpu(63'000), 1});
}

TEST_P(EventOrder, RepeatsMakeNoDifference) {
  const Event node = Node(GpuNode("n", 4));
  const Event whole = BoundPod(Bound("whole", WholeGpus(2), "n"));
  ExpectInAnyOrder({node, node, whole, whole, PodGone("never seen")},
                   {Milli({0, 0, 1000, 1000}), MilliCpu(63'000), 1});
}

INSTANTIATE_TEST_SUITE_P(Live, EventOrder, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(InAnEpoch, EventOrder, ::testing::Values(true));

}  // namespace
}  // namespace berth
