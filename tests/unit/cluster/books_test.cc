#include "cluster/books.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "books_fixture.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

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

}  // namespace
}  // namespace berth
