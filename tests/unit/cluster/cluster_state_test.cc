#include "cluster/cluster_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include <sstream>

#include "example_cluster.h"

namespace berth {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ClusterStateTest : public ::testing::Test {
 protected:
  uint64_t Version() { return state_.View()->version(); }
  GpuFreeList FreeGpus(const std::string& node) { return state_.View()->Find(node)->free.gpus; }

  size_t LinesWith(const std::string& text) {
    std::istringstream lines(logged_.str());
    size_t count = 0;
    for (std::string line; std::getline(lines, line);) {
      if (line.find(text) != std::string::npos) ++count;
    }
    return count;
  }

  Metrics metrics_;
  std::ostringstream logged_;
  Logger log_{"test", std::make_shared<spdlog::sinks::ostream_sink_st>(logged_)};
  WorkloadProfilePtr profile_ = EmptyProfile();
  ClusterState state_{BestFitChooser, profile_, metrics_, log_};
};

TEST_F(ClusterStateTest, IsEmptyAtFirst) {
  const ClusterViewPtr view = state_.View();
  ASSERT_NE(view, nullptr);
  EXPECT_TRUE(view->nodes().empty());
  EXPECT_EQ(view->Find("n"), nullptr);
  EXPECT_EQ(view->totals(), ClusterTotals());
  EXPECT_EQ(view->context(), ClusterContext());
  EXPECT_EQ(&view->profile(), profile_.get());
}

TEST_F(ClusterStateTest, IsReadyOnceAnEpochIsComplete) {
  state_.UpsertNode(GpuNode("n", 4));
  EXPECT_FALSE(state_.Ready());
  state_.BeginEpoch();
  EXPECT_FALSE(state_.Ready());
  state_.AbandonEpoch();
  EXPECT_FALSE(state_.Ready());
  state_.BeginEpoch();
  state_.CompleteEpoch();
  EXPECT_TRUE(state_.Ready());
  state_.BeginEpoch();
  EXPECT_TRUE(state_.Ready()) << "the old books are still in use";
}

TEST_F(ClusterStateTest, ViewsAreSortedAndFoundByName) {
  for (const char* name : {"c", "a", "b"}) state_.UpsertNode(GpuNode(name, 1));
  const ClusterViewPtr view = state_.View();
  ASSERT_EQ(view->nodes().size(), 3u);
  EXPECT_EQ(view->nodes()[0]->name(), NodeName("a"));
  EXPECT_EQ(view->nodes()[2]->name(), NodeName("c"));
  EXPECT_EQ(view->Find("b"), view->nodes()[1].get());
  EXPECT_EQ(view->Find("d"), nullptr);
}

TEST_F(ClusterStateTest, NodesHaveASlotOfTheirOwnForAsLongAsTheyAreThere) {
  for (const char* name : {"b", "d", "f"}) state_.UpsertNode(GpuNode(name, 1));
  const auto slot = [&](const std::string& name) { return state_.View()->Find(name)->slot; };
  EXPECT_EQ(slot("b"), 0);
  EXPECT_EQ(slot("d"), 1);
  EXPECT_EQ(slot("f"), 2);
  state_.RemoveNode(NodeName("d"));
  state_.UpsertNode(GpuNode("a", 1));
  state_.UpsertNode(GpuNode("c", 1));
  state_.UpsertPod(Bound("p", Share(300), "b"));
  EXPECT_EQ(slot("b"), 0);
  EXPECT_EQ(slot("f"), 2);
  EXPECT_EQ(slot("a"), 1) << "that of the one that went";
  EXPECT_EQ(slot("c"), 3);
  state_.BeginEpoch();
  for (const char* name : {"c", "e", "f"}) state_.UpsertNode(GpuNode(name, 1));
  state_.CompleteEpoch();
  EXPECT_EQ(slot("c"), 3);
  EXPECT_EQ(slot("e"), 0);
  EXPECT_EQ(slot("f"), 2);
}

TEST_F(ClusterStateTest, ViewsAreImmutable) {
  state_.UpsertNode(GpuNode("n", 1));
  const ClusterViewPtr before = state_.View();
  state_.UpsertPod(Bound("p", Share(300), "n"));
  const ClusterViewPtr after = state_.View();
  state_.RemoveNode(NodeName("n"));
  EXPECT_EQ(before->Find("n")->free.gpus, Milli({1000}));
  EXPECT_EQ(after->Find("n")->free.gpus, Milli({700}));
  EXPECT_EQ(state_.View()->Find("n"), nullptr);
}

TEST_F(ClusterStateTest, ViewsShareWhatDidNotChange) {
  state_.UpsertNode(GpuNode("a", 1));
  state_.UpsertNode(GpuNode("b", 1));
  const ClusterViewPtr before = state_.View();
  EXPECT_EQ(state_.View(), before);
  state_.UpsertNode(GpuNode("a", 1));
  EXPECT_EQ(state_.View(), before) << "nothing new was said";

  state_.UpsertPod(Bound("p", Share(300), "b"));
  const ClusterViewPtr after = state_.View();
  EXPECT_GT(after->version(), before->version());
  EXPECT_EQ(after->Find("a"), before->Find("a"));
  EXPECT_NE(after->Find("b"), before->Find("b"));
  EXPECT_NE(after->Find("b")->generation, before->Find("b")->generation);
}

TEST_F(ClusterStateTest, NodeThatIsAsItWasIsTheSameObject) {
  state_.UpsertNode(GpuNode("n", 1));
  const ClusterViewPtr before = state_.View();
  state_.UpsertPod(Bound("p", Share(300), "n"));
  state_.RemovePod(PodUid("p"));
  EXPECT_EQ(state_.View()->Find("n"), before->Find("n"));
}

TEST_F(ClusterStateTest, EveryKindOfChangeShowsInTheNextView) {
  uint64_t version = Version();
  const auto grew = [&] {
    const uint64_t before = std::exchange(version, Version());
    return version > before;
  };
  state_.UpsertNode(GpuNode("n", 2));
  EXPECT_TRUE(grew());
  state_.UpsertPod(Pending("p", Share(300)));
  EXPECT_TRUE(grew());
  EXPECT_EQ(state_.View()->totals().pending_pods, 1);
  state_.UpsertPod(Bound("p", Share(300), "n"));
  EXPECT_TRUE(grew());
  EXPECT_EQ(FreeGpus("n"), Milli({700, 1000}));
  state_.RemovePod(PodUid("p"));
  EXPECT_TRUE(grew());
  EXPECT_EQ(FreeGpus("n"), Milli({1000, 1000}));
  state_.RemoveNode(NodeName("n"));
  EXPECT_TRUE(grew());
  EXPECT_TRUE(state_.View()->nodes().empty());
  EXPECT_FALSE(grew());
}

TEST_F(ClusterStateTest, EpochIsBuiltAsideAndSwappedIn) {
  state_.UpsertNode(GpuNode("old", 1));
  state_.UpsertPod(Bound("p", Share(300), "old"));
  const ClusterViewPtr before = state_.View();

  state_.BeginEpoch();
  state_.UpsertNode(GpuNode("new", 1));
  state_.UpsertNode(GpuNode("gone again", 1));
  state_.UpsertPod(Bound("q", Share(400), "new"));
  state_.UpsertPod(Bound("r", Share(500), "new"));
  state_.RemovePod(PodUid("r"));
  state_.RemoveNode(NodeName("gone again"));
  EXPECT_EQ(state_.View(), before);

  state_.CompleteEpoch();
  const ClusterViewPtr after = state_.View();
  EXPECT_GT(after->version(), before->version());
  EXPECT_EQ(after->nodes().size(), 1u);
  EXPECT_EQ(after->Find("new")->free.gpus, Milli({600}));
  EXPECT_EQ(after->totals().bound_pods, 1);
}

TEST_F(ClusterStateTest, EventsAfterAnEpochGoToTheBooksInUse) {
  state_.BeginEpoch();
  state_.UpsertNode(GpuNode("n", 1));
  state_.CompleteEpoch();
  state_.UpsertPod(Bound("p", Share(300), "n"));
  EXPECT_EQ(FreeGpus("n"), Milli({700}));
}

TEST_F(ClusterStateTest, AbandonedEpochLeavesTheOldBooks) {
  state_.UpsertNode(GpuNode("n", 1));
  const ClusterViewPtr before = state_.View();
  state_.AbandonEpoch();  // none was begun
  state_.BeginEpoch();
  state_.RemoveNode(NodeName("n"));
  state_.UpsertNode(GpuNode("m", 1));
  state_.AbandonEpoch();
  EXPECT_EQ(state_.View(), before);
  state_.UpsertPod(Bound("p", Share(300), "n"));
  EXPECT_EQ(FreeGpus("n"), Milli({700}));
}

TEST_F(ClusterStateTest, NewEpochDropsTheOneThatWasNeverCompleted) {
  state_.BeginEpoch();
  state_.UpsertNode(GpuNode("dropped", 1));
  state_.BeginEpoch();
  state_.UpsertNode(GpuNode("n", 1));
  state_.CompleteEpoch();
  EXPECT_EQ(state_.View()->Find("dropped"), nullptr);
  EXPECT_NE(state_.View()->Find("n"), nullptr);
}

TEST_F(ClusterStateTest, CompletingNoEpochIsOurMistake) {
  EXPECT_DEATH(state_.CompleteEpoch(), "an epoch was begun");
}

// A resync that brings no news must not throw caches away.
TEST_F(ClusterStateTest, ResyncWithoutNewsKeepsNodesAndTheirGenerations) {
  const auto state_all = [&] {
    state_.UpsertPod(Bound("b", Share(600), "n"));
    state_.UpsertPod(Bound("c", Share(700), "n"));
    state_.UpsertNode(GpuNode("n", 2));
    state_.UpsertNode(GpuNode("m", 2));
  };
  state_.UpsertPod(Bound("a", WholeGpus(1), "n"));
  state_all();
  state_.RemovePod(PodUid("a"));
  const ClusterViewPtr before = state_.View();

  state_.BeginEpoch();
  state_all();
  state_.CompleteEpoch();
  const ClusterViewPtr after = state_.View();
  EXPECT_EQ(after->Find("n"), before->Find("n"));
  EXPECT_EQ(after->Find("m"), before->Find("m"));
}

TEST_F(ClusterStateTest, ResyncLeavesGpusWhereTheyWere) {
  state_.UpsertNode(GpuNode("n", 3));
  for (const char* uid : {"a", "b", "c"}) state_.UpsertPod(Bound(uid, WholeGpus(1), "n"));
  state_.BeginEpoch();
  state_.UpsertPod(Bound("c", WholeGpus(1), "n"));
  state_.UpsertNode(GpuNode("n", 3));
  state_.CompleteEpoch();
  EXPECT_EQ(FreeGpus("n"), Milli({1000, 1000, 0}));
}

TEST_F(ClusterStateTest, PodThatIsGoneStaysGone) {
  state_.UpsertNode(GpuNode("n", 1));
  state_.RemovePod(PodUid("p"));
  state_.UpsertPod(Bound("p", Share(300), "n"));
  EXPECT_EQ(FreeGpus("n"), Milli({1000}));
  state_.BeginEpoch();
  state_.UpsertNode(GpuNode("n", 1));
  state_.UpsertPod(Bound("p", Share(300), "n"));
  state_.CompleteEpoch();
  EXPECT_EQ(FreeGpus("n"), Milli({1000}));
  EXPECT_THAT(metrics_.Text(),
              HasSubstr("berth_cluster_oddities_total{kind=\"pod_after_gone\"} 2\n"));
  EXPECT_THAT(metrics_.Text(),
              HasSubstr("berth_cluster_events_total{kind=\"pod\",outcome=\"late\"} 2\n"));
}

// 16 GPUs, so that a bucket is one GPU wide: it moves three quarters of a GPU away from its middle.
TEST_F(ClusterStateTest, LoadMovesInCoarseStepsWithHysteresis) {
  state_.UpsertNode(GpuNode("n", 16));
  const auto load = [&] { return state_.View()->context().gpu_load_bucket; };
  state_.UpsertPod(Bound("a", WholeGpus(4), "n"));
  EXPECT_EQ(load(), 4);
  state_.UpsertPod(Bound("b", Share(750), "n"));
  EXPECT_EQ(load(), 4);
  state_.UpsertPod(Bound("c", Share(1), "n"));
  EXPECT_EQ(load(), 5);
  state_.RemovePod(PodUid("c"));
  state_.UpsertPod(Bound("b", Share(250), "n"));
  EXPECT_EQ(load(), 5);
  state_.UpsertPod(Bound("b", Share(249), "n"));
  EXPECT_EQ(load(), 4);
}

// 4.8 moves the bucket to 5, from where 4.3 is near enough to stay.
TEST_F(ClusterStateTest, LoadDoesNotDependOnWhoLooks) {
  Metrics metrics;
  ClusterState unseen(BestFitChooser, profile_, metrics, log_);
  for (ClusterState* state : {&state_, &unseen}) {
    state->UpsertNode(GpuNode("n", 16));
    state->UpsertPod(Bound("a", WholeGpus(4), "n"));
    state->UpsertPod(Bound("b", Share(800), "n"));
    if (state == &state_) state->View();
    state->UpsertPod(Bound("b", Share(300), "n"));
    EXPECT_EQ(state->View()->context().gpu_load_bucket, 5);
  }
}

TEST_F(ClusterStateTest, GaugesTellWhatTheBooksInUseHold) {
  state_.UpsertNode(GpuNode("a", 2));
  state_.UpsertNode(GpuNode("b", 1));
  state_.UpsertPod(Bound("p", Share(250), "a"));
  state_.UpsertPod(Bound("q", WholeGpus(2), "b"));
  state_.UpsertPod(Bound("r", Share(250), "elsewhere"));
  state_.UpsertPod(Pending("s", Share(250)));
  state_.BeginEpoch();
  state_.UpsertNode(GpuNode("c", 8));
  for (const char* line :
       {"berth_cluster_nodes 2\n", "berth_cluster_gpus 3\n", "berth_cluster_free_gpus 1.75\n",
        "berth_cluster_pods{state=\"pending\"} 1\n", "berth_cluster_pods{state=\"bound\"} 2\n",
        "berth_cluster_pods{state=\"parked\"} 1\n", "berth_cluster_overcommitted_nodes 1\n"}) {
    EXPECT_THAT(metrics_.Text(), HasSubstr(line));
  }
  state_.CompleteEpoch();
  EXPECT_THAT(metrics_.Text(), HasSubstr("berth_cluster_nodes 1\n"));
  EXPECT_THAT(metrics_.Text(), HasSubstr("berth_cluster_overcommitted_nodes 0\n"));
}

TEST_F(ClusterStateTest, EventsAreCountedByOutcome) {
  state_.UpsertNode(GpuNode("n", 1));
  state_.UpsertNode(GpuNode("n", 1));
  state_.RemoveNode(NodeName("never seen"));
  state_.UpsertPod(Pending("p", Share(250)));
  state_.RemovePod(PodUid("p"));
  state_.RemovePod(PodUid("p"));
  state_.BeginEpoch();
  state_.UpsertNode(GpuNode("m", 1));
  for (const char* line :
       {"{kind=\"node\",outcome=\"applied\"} 1\n", "{kind=\"node\",outcome=\"unchanged\"} 1\n",
        "{kind=\"node\",outcome=\"collected\"} 1\n",
        "{kind=\"node_gone\",outcome=\"unchanged\"} 1\n", "{kind=\"pod\",outcome=\"applied\"} 1\n",
        "{kind=\"pod_gone\",outcome=\"applied\"} 1\n",
        "{kind=\"pod_gone\",outcome=\"unchanged\"} 1\n"}) {
    EXPECT_THAT(metrics_.Text(), HasSubstr("berth_cluster_events_total" + std::string(line)));
  }
}

TEST_F(ClusterStateTest, OdditiesAreCountedAlwaysAndLoggedOncePerObject) {
  for (const char* node : {"x", "y"}) {
    state_.UpsertPod(Bound("p", Share(250), node));
    state_.UpsertPod(Bound("q", Share(250), node));
  }
  EXPECT_THAT(metrics_.Text(), HasSubstr("berth_cluster_oddities_total{kind=\"pod_parked\"} 4\n"));
  EXPECT_EQ(LinesWith("kind=pod_parked object=\"p\""), 1u);
  EXPECT_EQ(LinesWith("kind=pod_parked object=\"q\""), 1u);
  EXPECT_EQ(LinesWith("kind=pod_moved object=\"p\""), 1u);
  EXPECT_THAT(logged_.str(), HasSubstr("detail=\"default/p on x\""));
}

TEST_F(ClusterStateTest, OrdinaryEventsAreNotOdd) {
  state_.UpsertNode(GpuNode("n", 1));
  state_.UpsertPod(Pending("p", Share(250)));
  state_.UpsertPod(Bound("p", Share(250), "n"));
  state_.RemovePod(PodUid("p"));
  state_.RemovePod(PodUid("p"));  // has terminated, and then is deleted
  state_.RemoveNode(NodeName("n"));
  EXPECT_EQ(logged_.str(), "");
}

// So that one that lists everything anew decides as one that has just started.
TEST_F(ClusterStateTest, KnowsTheFleetInStepsWhileNodesComeAndGoAndExactlyAfterAnEpoch) {
  const auto gpus = [&] { return state_.View()->profile().fleet().gpus.at(GpuModel("T4")); };
  const auto list = [&](int nodes) {
    state_.BeginEpoch();
    for (int i = 1; i <= nodes; ++i) state_.UpsertNode(GpuNode("n" + std::to_string(i), 1));
    state_.CompleteEpoch();
  };
  list(20);
  EXPECT_EQ(gpus(), kWholeGpu * 20);
  state_.UpsertNode(GpuNode("n21", 1));
  EXPECT_EQ(gpus(), kWholeGpu * 20) << "one more of twenty is not far";
  state_.UpsertNode(GpuNode("n22", 1));
  EXPECT_EQ(gpus(), kWholeGpu * 22);
  list(21);
  EXPECT_EQ(gpus(), kWholeGpu * 21);
}

class LearningClusterStateTest : public ClusterStateTest {
 protected:
  // Pods with the numbers from `first` to `last`, bound to the node.
  void Arrive(int first, int last, const Demand& demand) {
    for (int i = first; i <= last; ++i) {
      state_.UpsertPod(Bound("p" + std::to_string(i), demand, "n"));
    }
  }
  std::string Mix() { return state_.View()->profile().version(); }

  ClusterState state_{BestFitChooser, profile_, metrics_, log_, ClusterState::Mix::kLearned};
};

TEST_F(LearningClusterStateTest, TellsTheMixOfThePodsThatCame) {
  state_.UpsertNode(GpuNode("n", 8));
  Arrive(1, 60, Share(10));
  Arrive(61, 63, WholeGpus(2));
  EXPECT_EQ(Mix(), profile_->version()) << "too few to tell";
  const ClusterViewPtr before = state_.View();
  state_.UpsertPod(Pending("one more that waits", WholeGpus(4)));
  EXPECT_EQ(Mix(), "online-64");
  EXPECT_EQ(before->profile().version(), profile_->version()) << "who reads it reads on";
  const auto classes = state_.View()->profile().classes();
  ASSERT_EQ(classes.size(), 3u);
  EXPECT_EQ(classes[0], (ClassCount{ClassOf(Share(10)), 60}));
  EXPECT_EQ(state_.View()->profile().fleet().gpus.at(GpuModel("T4")), kWholeGpu * 8);
  EXPECT_EQ(LinesWith("profile=online-64 classes=3"), 1u);
}

TEST_F(LearningClusterStateTest, EachPodCountsOnce) {
  Arrive(1, 40, Share(10));
  Arrive(1, 40, Share(20));  // the same pods in another state
  state_.BeginEpoch();       // whose list has them again
  Arrive(1, 40, Share(20));
  state_.CompleteEpoch();
  EXPECT_EQ(Mix(), profile_->version());
  Arrive(41, 64, Share(20));
  EXPECT_EQ(Mix(), "online-64");
}

TEST_F(LearningClusterStateTest, LearnsFromAListAndFromRestatedNodes) {
  Picture picture;
  for (int i = 0; i < 64; ++i) {
    const Pod pod = Bound("listed" + std::to_string(i), Share(10), "n");
    picture.pods.emplace(pod.uid, pod);
  }
  state_.Renew(picture);
  EXPECT_EQ(Mix(), "online-64");
  NodeState node{.node = GpuNode("n", 8), .pods = {}};
  for (int i = 0; i < 64; ++i)
    node.pods.push_back(Bound("new" + std::to_string(i), Share(10), "n"));
  state_.Restate(std::span(&node, 1), {});
  EXPECT_EQ(Mix(), "online-128");
}

TEST_F(LearningClusterStateTest, APodWhoseDemandIsInvalidTeachesNothing) {
  Demand invalid = Share(10);
  invalid.invalid = "no such thing";
  Arrive(1, 100, invalid);
  EXPECT_EQ(Mix(), profile_->version());
}

}  // namespace
}  // namespace berth
