// Which GPUs pods are taken to hold.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "books_fixture.h"
#include "cluster/books.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using SeatingTest = BooksTest;

// Smallest first, 300 + 500 would share a GPU, and 700 + 500 could not.
TEST_F(SeatingTest, ParkedPodsAreSeatedLargestFirst) {
  for (const int64_t milli : {300, 500, 700, 499}) {
    books_.UpsertPod(Bound("p" + std::to_string(milli), Share(milli), "n"));
  }
  books_.UpsertNode(GpuNode("n", 2));
  EXPECT_EQ(FreeGpus("n"), Milli({0, 1}));  // 700 + 300 and 500 + 499
  EXPECT_EQ(books_.overcommitted_nodes(), 0);
}

TEST_F(SeatingTest, MorePodsThanGpusLeaveZeroFreeAndReleaseRightly) {
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

TEST_F(SeatingTest, SqueezedPodTakesTheLeastUsedGpus) {
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
TEST_F(SeatingTest, SqueezedPodMovesToWhatIsFreed) {
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

TEST_F(SeatingTest, PodWithMoreGpusThanTheNodeHoldsAllOfThem) {
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

TEST_F(SeatingTest, PodWithGpusOnANodeWithoutAny) {
  books_.UpsertNode(GpuNode("n", 0));
  books_.UpsertPod(Bound("p", Share(500), "n"));
  EXPECT_THAT(FreeGpus("n"), IsEmpty());
  EXPECT_EQ(books_.overcommitted_nodes(), 1);
  books_.RemovePod(PodUid("p"));
  EXPECT_EQ(books_.Find(NodeName("n"))->free, IdleState(GpuNode("n", 0)));
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
