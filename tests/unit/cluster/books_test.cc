#include "cluster/books.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/null_sink.h>

#include <limits>

#include "example_cluster.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class BooksTest : public ::testing::Test {
 protected:
  GpuFreeList FreeGpus(const std::string& node) { return books_.Find(NodeName(node))->free.gpus; }
  GpuSet GpusOf(const std::string& uid) { return books_.SeatOf(PodUid(uid)).gpus; }
  bool Squeezed(const std::string& uid) { return books_.SeatOf(PodUid(uid)).squeezed; }

  int Oddities(const std::string& kind) {
    return static_cast<int>(
        metrics_.AddCounter("berth_cluster_oddities_total", "", {{"kind", kind}}).Value());
  }

  Metrics metrics_;
  Logger log_{"test", std::make_shared<spdlog::sinks::null_sink_mt>()};
  OddityLog oddities_{metrics_, log_};
  Books books_{BestFitChooser, EmptyProfile(), oddities_};
};

TEST_F(BooksTest, PodsHoldWhatTheyAskForUntilTheyGo) {
  EXPECT_TRUE(books_.UpsertNode(GpuNode("n", 2)));
  EXPECT_TRUE(books_.UpsertPod(Bound("half", Share(500), "n")));
  EXPECT_TRUE(books_.UpsertPod(Bound("whole", WholeGpus(1), "n")));
  const Node* node = books_.Find(NodeName("n"));
  EXPECT_EQ(node->free.gpus, Milli({500, 0}));
  EXPECT_EQ(node->free.cpu, MilliCpu(62'000));
  EXPECT_EQ(node->free.memory, MiB(262'144 - 2'048));

  EXPECT_TRUE(books_.RemovePod(PodUid("half")));
  EXPECT_TRUE(books_.RemovePod(PodUid("whole")));
  EXPECT_EQ(books_.Find(NodeName("n"))->free, IdleState(GpuNode("n", 2)));
}

TEST_F(BooksTest, TotalsFollowEveryEvent) {
  books_.UpsertNode(GpuNode("a", 2));
  books_.UpsertNode(GpuNode("b", 4));
  books_.UpsertPod(Bound("bound", Share(300), "a"));
  books_.UpsertPod(Bound("parked", Share(300), "unknown"));
  books_.UpsertPod(Pending("pending", Share(300)));
  EXPECT_EQ(books_.totals(), (ClusterTotals{.nodes = 2,
                                            .gpus = 6,
                                            .gpu_capacity = kWholeGpu * 6,
                                            .gpu_free = MilliGpu(5'700),
                                            .cpu_capacity = MilliCpu(128'000),
                                            .cpu_free = MilliCpu(127'000),
                                            .bound_pods = 1,
                                            .pending_pods = 1}));
  EXPECT_EQ(books_.parked_pods(), 1);

  books_.RemoveNode(NodeName("a"));
  books_.RemoveNode(NodeName("b"));
  EXPECT_EQ(books_.totals(), (ClusterTotals{.pending_pods = 1}));
  EXPECT_EQ(books_.parked_pods(), 2);
}

TEST_F(BooksTest, RepeatsChangeNothing) {
  books_.UpsertNode(GpuNode("n", 2));
  books_.UpsertPod(Bound("p", Share(500), "n"));
  books_.UpsertPod(Pending("q", Share(500)));
  books_.TakeChangedNodes();
  const uint64_t generation = books_.Find(NodeName("n"))->generation;

  EXPECT_FALSE(books_.UpsertNode(GpuNode("n", 2)));
  EXPECT_FALSE(books_.UpsertPod(Bound("p", Share(500), "n")));
  EXPECT_FALSE(books_.UpsertPod(Pending("q", Share(500))));
  EXPECT_FALSE(books_.RemovePod(PodUid("never seen")));
  EXPECT_FALSE(books_.RemoveNode(NodeName("never seen")));
  EXPECT_THAT(books_.TakeChangedNodes(), IsEmpty());
  EXPECT_EQ(books_.Find(NodeName("n"))->generation, generation);
}

TEST_F(BooksTest, TellsWhichNodesChanged) {
  books_.UpsertNode(GpuNode("a", 1));
  books_.UpsertNode(GpuNode("b", 1));
  EXPECT_THAT(books_.TakeChangedNodes(), UnorderedElementsAre(NodeName("a"), NodeName("b")));
  books_.UpsertPod(Bound("p", Share(500), "a"));
  EXPECT_THAT(books_.TakeChangedNodes(), UnorderedElementsAre(NodeName("a")));
  books_.UpsertPod(Bound("p", Share(500), "b"));
  EXPECT_THAT(books_.TakeChangedNodes(), UnorderedElementsAre(NodeName("a"), NodeName("b")));
  books_.RemoveNode(NodeName("a"));
  EXPECT_THAT(books_.TakeChangedNodes(), UnorderedElementsAre(NodeName("a")));
  EXPECT_THAT(books_.NodeNames(), ElementsAre(NodeName("b")));
}

TEST_F(BooksTest, PendingPodIsBound) {
  books_.UpsertNode(GpuNode("n", 1));
  books_.UpsertPod(Pending("p", WholeGpus(1)));
  EXPECT_EQ(FreeGpus("n"), Milli({1000}));
  books_.UpsertPod(Bound("p", WholeGpus(1), "n"));
  EXPECT_EQ(FreeGpus("n"), Milli({0}));
  EXPECT_EQ(books_.totals().pending_pods, 0);
  EXPECT_EQ(Oddities("pod_moved") + Oddities("pod_unbound"), 0);
}

TEST_F(BooksTest, PodMovesOrIsPendingAgainWhenThatIsStated) {
  books_.UpsertNode(GpuNode("a", 1));
  books_.UpsertNode(GpuNode("b", 1));
  books_.UpsertPod(Bound("p", WholeGpus(1), "a"));
  books_.UpsertPod(Bound("p", WholeGpus(1), "b"));
  EXPECT_EQ(FreeGpus("a"), Milli({1000}));
  EXPECT_EQ(FreeGpus("b"), Milli({0}));
  EXPECT_EQ(Oddities("pod_moved"), 1);
  books_.UpsertPod(Pending("p", WholeGpus(1)));
  EXPECT_EQ(FreeGpus("b"), Milli({1000}));
  EXPECT_EQ(books_.totals().pending_pods, 1);
  EXPECT_EQ(Oddities("pod_unbound"), 1);
}

TEST_F(BooksTest, ChangedDemandKeepsItsGpusWhileTheyAreWhatItAsksFor) {
  books_.UpsertNode(GpuNode("n", 3));
  books_.UpsertPod(Bound("first", WholeGpus(1), "n"));
  books_.UpsertPod(Bound("p", WholeGpus(1), "n"));
  books_.RemovePod(PodUid("first"));  // best fit would now choose GPU 0

  Pod changed = Bound("p", WholeGpus(1), "n");
  changed.priority = 7;
  changed.demand.cpu = MilliCpu(5'000);
  books_.UpsertPod(changed);
  EXPECT_THAT(GpusOf("p"), ElementsAre(1));
  EXPECT_EQ(books_.Find(NodeName("n"))->free.cpu, MilliCpu(59'000));

  changed.demand.per_gpu = MilliGpu(300);
  books_.UpsertPod(changed);
  EXPECT_EQ(FreeGpus("n"), Milli({1000, 700, 1000}));

  changed.demand = WholeGpus(2);
  books_.UpsertPod(changed);
  EXPECT_EQ(FreeGpus("n"), Milli({0, 0, 1000}));

  changed.demand = CpuOnly(100);
  books_.UpsertPod(changed);
  EXPECT_EQ(FreeGpus("n"), Milli({1000, 1000, 1000}));
  EXPECT_THAT(GpusOf("p"), IsEmpty());
}

TEST_F(BooksTest, PodIsParkedUntilItsNodeIsKnownAndAgainWhenItGoes) {
  books_.UpsertPod(Bound("p", WholeGpus(1), "n"));
  EXPECT_EQ(books_.parked_pods(), 1);
  EXPECT_EQ(books_.totals().bound_pods, 0);
  EXPECT_EQ(Oddities("pod_parked"), 1);
  EXPECT_EQ(books_.Find(NodeName("n")), nullptr);

  books_.UpsertNode(GpuNode("n", 2));
  EXPECT_EQ(books_.parked_pods(), 0);
  EXPECT_EQ(FreeGpus("n"), Milli({0, 1000}));

  books_.RemoveNode(NodeName("n"));
  EXPECT_EQ(books_.parked_pods(), 1);
  EXPECT_EQ(Oddities("node_gone_with_pods"), 1);
  EXPECT_THAT(books_.NodeNames(), IsEmpty());

  books_.RemovePod(PodUid("p"));
  EXPECT_EQ(books_.parked_pods(), 0);
  books_.UpsertNode(GpuNode("n", 2));
  EXPECT_EQ(FreeGpus("n"), Milli({1000, 1000}));
}

TEST_F(BooksTest, PodsComeBackToTheirGpusWithTheirNode) {
  books_.UpsertNode(GpuNode("n", 2));
  books_.UpsertPod(Bound("a", Share(600), "n"));
  books_.UpsertPod(Bound("b", Share(700), "n"));
  books_.RemovePod(PodUid("a"));
  books_.RemoveNode(NodeName("n"));
  books_.UpsertPod(Bound("c", Share(800), "n"));  // larger, but new
  books_.UpsertNode(GpuNode("n", 2));
  EXPECT_THAT(GpusOf("b"), ElementsAre(1));
  EXPECT_THAT(GpusOf("c"), ElementsAre(0));
}

// Smallest first, 300 + 500 would share a GPU, and 700 + 500 could not.
TEST_F(BooksTest, ParkedPodsAreSeatedLargestFirst) {
  for (const int64_t milli : {300, 500, 700, 499}) {
    books_.UpsertPod(Bound("p" + std::to_string(milli), Share(milli), "n"));
  }
  books_.UpsertNode(GpuNode("n", 2));
  EXPECT_EQ(FreeGpus("n"), Milli({0, 1}));  // 700 + 300 and 500 + 499
  EXPECT_EQ(books_.overcommitted_nodes(), 0);
}

TEST_F(BooksTest, MorePodsThanGpusLeaveZeroFreeAndReleaseRightly) {
  books_.UpsertNode(GpuNode("n", 1));
  books_.UpsertPod(Bound("a", Share(800), "n"));
  books_.UpsertPod(Bound("b", Share(700), "n"));
  EXPECT_EQ(FreeGpus("n"), Milli({0}));
  EXPECT_TRUE(Squeezed("b"));
  EXPECT_EQ(books_.overcommitted_nodes(), 1);
  EXPECT_EQ(Oddities("pod_overcommitted"), 1);

  books_.RemovePod(PodUid("a"));
  EXPECT_EQ(FreeGpus("n"), Milli({300}));
  EXPECT_FALSE(Squeezed("b"));
  EXPECT_EQ(books_.overcommitted_nodes(), 0);
}

TEST_F(BooksTest, SqueezedPodTakesTheLeastUsedGpus) {
  books_.UpsertNode(GpuNode("n", 3));
  books_.UpsertPod(Bound("a", Share(900), "n"));
  books_.UpsertPod(Bound("b", Share(400), "n"));
  books_.UpsertPod(Bound("c", Share(800), "n"));
  ASSERT_EQ(FreeGpus("n"), Milli({100, 600, 200}));
  books_.UpsertPod(Bound("two", WholeGpus(2), "n"));
  EXPECT_THAT(GpusOf("two"), ElementsAre(1, 2));
  EXPECT_EQ(FreeGpus("n"), Milli({100, 0, 0}));
}

// The kubelet gave C the GPU that B had left; we heard of it the other way round.
TEST_F(BooksTest, SqueezedPodMovesToWhatIsFreed) {
  books_.UpsertNode(GpuNode("n", 2));
  books_.UpsertPod(Bound("a", WholeGpus(1), "n"));
  books_.UpsertPod(Bound("b", WholeGpus(1), "n"));
  books_.UpsertPod(Bound("c", WholeGpus(1), "n"));
  EXPECT_THAT(GpusOf("c"), ElementsAre(0));
  books_.RemovePod(PodUid("b"));
  EXPECT_THAT(GpusOf("a"), ElementsAre(0));
  EXPECT_THAT(GpusOf("c"), ElementsAre(1));
  EXPECT_EQ(FreeGpus("n"), Milli({0, 0}));
  EXPECT_EQ(books_.overcommitted_nodes(), 0);
}

TEST_F(BooksTest, PodWithMoreGpusThanTheNodeHoldsAllOfThem) {
  books_.UpsertNode(GpuNode("n", 2));
  books_.UpsertPod(Bound("p", WholeGpus(4), "n"));
  EXPECT_EQ(FreeGpus("n"), Milli({0, 0}));
  EXPECT_EQ(books_.overcommitted_nodes(), 1);
  books_.UpsertNode(GpuNode("n", 6));
  EXPECT_EQ(FreeGpus("n"), Milli({0, 0, 0, 0, 1000, 1000}));
  EXPECT_EQ(books_.overcommitted_nodes(), 0);
  books_.RemovePod(PodUid("p"));
  EXPECT_EQ(books_.Find(NodeName("n"))->free, IdleState(GpuNode("n", 6)));
}

TEST_F(BooksTest, PodWithGpusOnANodeWithoutAny) {
  books_.UpsertNode(GpuNode("n", 0));
  books_.UpsertPod(Bound("p", Share(500), "n"));
  EXPECT_THAT(FreeGpus("n"), IsEmpty());
  EXPECT_EQ(books_.overcommitted_nodes(), 1);
  books_.RemovePod(PodUid("p"));
  EXPECT_EQ(books_.Find(NodeName("n"))->free, IdleState(GpuNode("n", 0)));
}

TEST_F(BooksTest, NodeShrinksAndGrowsUnderItsPods) {
  books_.UpsertNode(GpuNode("n", 4));
  for (const char* uid : {"a", "b", "c", "d"}) books_.UpsertPod(Bound(uid, WholeGpus(1), "n"));
  books_.RemovePod(PodUid("a"));
  ASSERT_EQ(FreeGpus("n"), Milli({1000, 0, 0, 0}));

  books_.UpsertNode(GpuNode("n", 3));  // d loses its GPU and takes the free one
  EXPECT_EQ(FreeGpus("n"), Milli({0, 0, 0}));
  EXPECT_THAT(GpusOf("b"), ElementsAre(1));
  EXPECT_THAT(GpusOf("d"), ElementsAre(0));
  EXPECT_EQ(Oddities("node_reshaped"), 1);
  EXPECT_EQ(books_.overcommitted_nodes(), 0);

  books_.UpsertNode(GpuNode("n", 2));  // c has to squeeze in
  EXPECT_TRUE(Squeezed("c"));
  EXPECT_EQ(books_.overcommitted_nodes(), 1);

  books_.UpsertNode(GpuNode("n", 4));
  EXPECT_FALSE(Squeezed("c"));
  EXPECT_EQ(FreeGpus("n"), Milli({0, 0, 0, 1000}));
}

TEST_F(BooksTest, NodeChangesItsAccountingUnderItsPods) {
  books_.UpsertNode(GpuNode("n", 2, GpuAccounting::kObserved));
  books_.UpsertPod(Bound("p", WholeGpus(1, GpuAccounting::kObserved), "n"));
  books_.UpsertNode(GpuNode("n", 2, GpuAccounting::kManaged));
  EXPECT_EQ(FreeGpus("n"), Milli({0, 1000}));
  EXPECT_EQ(Oddities("node_reshaped"), 1);
}

TEST_F(BooksTest, NodeThatOnlyChangesOtherwiseLeavesGpusWhereTheyAre) {
  books_.UpsertNode(GpuNode("n", 2));
  books_.UpsertPod(Bound("a", WholeGpus(1), "n"));
  books_.UpsertPod(Bound("b", WholeGpus(1), "n"));
  books_.RemovePod(PodUid("a"));
  NodeSpec cordoned = GpuNode("n", 2);
  cordoned.cordoned = true;
  cordoned.cpu = MilliCpu(500);
  EXPECT_TRUE(books_.UpsertNode(cordoned));
  EXPECT_THAT(GpusOf("b"), ElementsAre(1));
  EXPECT_EQ(books_.Find(NodeName("n"))->free.cpu, MilliCpu(-500));
  EXPECT_EQ(books_.overcommitted_nodes(), 1) << "of CPU";
  EXPECT_EQ(Oddities("node_reshaped"), 0);
}

TEST_F(BooksTest, BoundPodWithInvalidDemandHoldsWhatCouldBeRead) {
  books_.UpsertNode(GpuNode("n", 2));
  Pod pod = Bound("p", WholeGpus(2), "n");
  pod.demand.per_gpu = MilliGpu(300);  // shares of several GPUs cannot be asked for
  pod.demand.invalid = "a share of several GPUs";
  books_.UpsertPod(pod);
  EXPECT_EQ(FreeGpus("n"), Milli({700, 700}));
  EXPECT_EQ(Oddities("pod_invalid"), 1);
  books_.RemovePod(PodUid("p"));
  EXPECT_EQ(FreeGpus("n"), Milli({1000, 1000}));
}

// Whatever numbers come in, sums stay in range and nothing is freed that was not held.
TEST_F(BooksTest, AbsurdQuantitiesAreBounded) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  NodeSpec node = GpuNode("n", 1'000'000);
  node.cpu = MilliCpu(kMin);
  node.memory = MiB(kMax);
  books_.UpsertNode(node);
  EXPECT_EQ(Oddities("node_out_of_range"), 1);
  EXPECT_EQ(books_.Find(NodeName("n"))->spec->gpus, kMaxGpusPerNode);
  EXPECT_EQ(books_.Find(NodeName("n"))->spec->cpu, MilliCpu());
  const FreeState idle = books_.Find(NodeName("n"))->free;

  for (const int64_t value : {kMin, int64_t{-1}, kMax}) {
    for (int i = 0; i < 3; ++i) {
      Pod pod = Bound("p" + std::to_string(i), WholeGpus(1), "n");
      pod.demand.cpu = MilliCpu(value);
      pod.demand.memory = MiB(value);
      pod.demand.per_gpu = MilliGpu(value);
      pod.demand.gpus =
          value > 0 ? std::numeric_limits<int>::max() : std::numeric_limits<int>::min();
      pod.demand.invalid = "absurd";
      books_.UpsertPod(pod);
      EXPECT_LE(books_.Find(NodeName("n"))->free.cpu, idle.cpu);
      EXPECT_LE(books_.Find(NodeName("n"))->free.memory, idle.memory);
    }
  }
  for (int i = 0; i < 3; ++i) books_.RemovePod(PodUid("p" + std::to_string(i)));
  EXPECT_EQ(books_.Find(NodeName("n"))->free, idle);
}

class ChooserTest : public BooksTest {
 protected:
  GpuSet answer_;
  std::vector<Node> asked_;
  Books asking_{[this](const Node& node, const Demand&, const WorkloadProfile&) {
                  asked_.push_back(node);
                  return answer_;
                },
                EmptyProfile(), oddities_};

  GpuSet Place(const std::string& uid, Demand demand) {
    asking_.UpsertPod(Bound(uid, std::move(demand), "n"));
    return asking_.SeatOf(PodUid(uid)).gpus;
  }
};

TEST_F(ChooserTest, DecidesWhereAPodGoes) {
  asking_.UpsertNode(GpuNode("n", 4));
  answer_ = {1, 3};
  EXPECT_EQ(Place("p", WholeGpus(2)), answer_);
  ASSERT_EQ(asked_.size(), 1u);
  EXPECT_EQ(asked_[0].name(), NodeName("n"));
  EXPECT_EQ(asked_[0].free, IdleState(GpuNode("n", 4)));
}

TEST_F(ChooserTest, IsNotAskedForPodsThatWantNoGpuOrDoNotFitOrAreInvalid) {
  asking_.UpsertNode(GpuNode("n", 1));
  Place("cpu", CpuOnly(1));
  Place("large", WholeGpus(2));
  Demand invalid = Share(1);
  invalid.invalid = "no";
  Place("invalid", invalid);
  EXPECT_THAT(asked_, IsEmpty());
}

TEST_F(ChooserTest, IsOverruledWhenItsChoiceIsImpossible) {
  asking_.UpsertNode(GpuNode("n", 4));
  answer_ = {2};
  Place("holder", WholeGpus(1));
  const std::vector<GpuSet> impossible = {{},     {0},    {0, 1, 3}, {0, 0},
                                          {3, 1}, {0, 4}, {0, 255},  {1, 2}};
  for (size_t i = 0; i < impossible.size(); ++i) {
    answer_ = impossible[i];
    EXPECT_THAT(Place("p", WholeGpus(2)), ElementsAre(0, 1)) << i;
    EXPECT_EQ(Oddities("gpu_choice_impossible"), static_cast<int>(i) + 1);
    asking_.RemovePod(PodUid("p"));
  }
}

// A chooser may cache by name and generation: no two states of the node look alike to it.
TEST_F(ChooserTest, SeesAnotherGenerationForEveryState) {
  answer_ = {0};
  asking_.UpsertNode(GpuNode("n", 2));
  Place("a", Share(300));
  Place("b", Share(300));
  Place("c", Share(300));
  asking_.UpsertNode(GpuNode("n", 1));
  Place("d", Share(50));
  for (size_t i = 0; i < asked_.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (asked_[i].generation != asked_[j].generation) continue;
      EXPECT_EQ(asked_[i].free, asked_[j].free);
      EXPECT_EQ(*asked_[i].spec, *asked_[j].spec);
    }
  }
  EXPECT_EQ(asked_.size(), 4u);
}

class BooksFromPictureTest : public BooksTest {
 protected:
  static Picture PictureOf(std::vector<NodeSpec> nodes, std::vector<Pod> pods) {
    Picture picture;
    for (NodeSpec& node : nodes) picture.nodes.emplace(node.name, node);
    for (Pod& pod : pods) picture.pods.emplace(pod.uid, pod);
    return picture;
  }
};

TEST_F(BooksFromPictureTest, PodsThatStayedKeepTheirGpusAndTheNewOnesTakeTheRest) {
  books_.UpsertNode(GpuNode("n", 3));
  books_.UpsertPod(Bound("gone", WholeGpus(1), "n"));
  books_.UpsertPod(Bound("stays", WholeGpus(1), "n"));
  // By UID, "a" would come first and take GPU 0, and "stays" has GPU 1.
  const Books renewed(books_, PictureOf({GpuNode("n", 3)}, {Bound("a", WholeGpus(2), "n"),
                                                            Bound("stays", WholeGpus(1), "n")}));
  EXPECT_THAT(renewed.SeatOf(PodUid("stays")).gpus, ElementsAre(1));
  EXPECT_THAT(renewed.SeatOf(PodUid("a")).gpus, ElementsAre(0, 2));
  EXPECT_THAT(renewed.SeatOf(PodUid("gone")).gpus, IsEmpty());
}

TEST_F(BooksFromPictureTest, PodThatIsOnAnotherNodeNowIsSeatedAnew) {
  books_.UpsertNode(GpuNode("a", 2));
  books_.UpsertNode(GpuNode("b", 2));
  books_.UpsertPod(Bound("first", WholeGpus(1), "a"));
  books_.UpsertPod(Bound("p", WholeGpus(1), "a"));
  ASSERT_THAT(GpusOf("p"), ElementsAre(1));
  const Books renewed(books_, PictureOf({GpuNode("b", 2)}, {Bound("p", WholeGpus(1), "b")}));
  EXPECT_THAT(renewed.SeatOf(PodUid("p")).gpus, ElementsAre(0));
}

TEST_F(BooksFromPictureTest, ParkedAndPendingPodsAreAccountedFor) {
  const Books renewed(
      books_, PictureOf({GpuNode("n", 1)},
                        {Bound("bound", Share(100), "n"), Bound("parked", Share(100), "elsewhere"),
                         Pending("pending", Share(100))}));
  EXPECT_EQ(renewed.totals().bound_pods, 1);
  EXPECT_EQ(renewed.totals().pending_pods, 1);
  EXPECT_EQ(renewed.parked_pods(), 1);
  EXPECT_EQ(Oddities("pod_parked"), 1);
}

TEST_F(BooksFromPictureTest, SamePictureOfASqueezedNodeChangesNothing) {
  const std::vector<Pod> pods = {Bound("a", Share(600), "n"), Bound("b", Share(700), "n"),
                                 Bound("c", WholeGpus(1), "n"), Bound("d", Share(450), "n")};
  books_.UpsertNode(GpuNode("n", 2));
  for (const Pod& pod : pods) books_.UpsertPod(pod);
  ASSERT_EQ(books_.overcommitted_nodes(), 1);
  const Books renewed(books_, PictureOf({GpuNode("n", 2)}, pods));
  for (const Pod& pod : pods) EXPECT_EQ(renewed.SeatOf(pod.uid), books_.SeatOf(pod.uid));
  EXPECT_EQ(renewed.Find(NodeName("n"))->free, books_.Find(NodeName("n"))->free);
  EXPECT_GT(renewed.Find(NodeName("n"))->generation, books_.Find(NodeName("n"))->generation);
}

}  // namespace
}  // namespace berth
