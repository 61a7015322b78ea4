#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cluster/cluster_state.h"
#include "example_cluster.h"
#include "support/captured_log.h"
#include "support/fake_clock.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ExpectationsTest : public ::testing::Test {
 protected:
  ExpectationsTest() {
    state_.BeginEpoch();
    state_.UpsertNode(GpuNode("n1", 2));
    state_.UpsertNode(GpuNode("n2", 2));
    state_.CompleteEpoch();
  }

  void Expect(const std::string& uid, const std::string& node, const Demand& demand) {
    state_.Expect(PodUid(uid), NodeName(node), demand, clock_.Now());
  }
  GpuFreeList Expected(const std::string& node) {
    return state_.ExpectedView(clock_.Now())->Find(node)->free.gpus;
  }
  GpuFreeList Known(const std::string& node) { return state_.View()->Find(node)->free.gpus; }

  FakeClock clock_;
  Metrics metrics_;
  CapturedLog log_;
  ClusterState state_{BestFitChooser, EmptyProfile(), metrics_, log_.logger()};
};

TEST_F(ExpectationsTest, WithoutAnyTheViewIsTheOneThatIsKnown) {
  EXPECT_EQ(state_.ExpectedView(clock_.Now()), state_.View());
}

TEST_F(ExpectationsTest, AnExpectedPodTakesItsPlaceInTheExpectedViewOnly) {
  Expect("a", "n1", Share(300));
  EXPECT_EQ(Expected("n1"), Milli({700, 1000}));
  EXPECT_EQ(Expected("n2"), Milli({1000, 1000}));
  EXPECT_EQ(Known("n1"), Milli({1000, 1000}));
}

TEST_F(ExpectationsTest, SeveralSitTogetherAsTheyWillWhenTheyAreBound) {
  Expect("a", "n1", Share(300));
  Expect("b", "n1", Share(800));
  Expect("c", "n1", Share(600));
  const GpuFreeList expected = Expected("n1");
  EXPECT_EQ(expected, Milli({100, 200}));
  state_.UpsertPod(Bound("a", Share(300), "n1"));
  EXPECT_EQ(Expected("n1"), expected);
  state_.UpsertPod(Bound("b", Share(800), "n1"));
  state_.UpsertPod(Bound("c", Share(600), "n1"));
  EXPECT_EQ(Expected("n1"), expected);
  EXPECT_EQ(Known("n1"), expected);
}

TEST_F(ExpectationsTest, WhatDoesNotFitAnyMoreLeavesNoTrace) {
  Expect("a", "n1", WholeGpus(2));
  Expect("b", "n1", Share(500));
  EXPECT_EQ(Expected("n1"), Milli({0, 0}));
  state_.UpsertPod(Bound("c", Share(600), "n1"));
  EXPECT_EQ(Expected("n1"), Milli({400, 500}));
  EXPECT_THAT(log_.Lines(), IsEmpty());
}

TEST_F(ExpectationsTest, APodIsExpectedAtOnePlaceOnly) {
  Expect("a", "n1", Share(300));
  Expect("a", "n2", Share(400));
  EXPECT_EQ(Expected("n1"), Milli({1000, 1000}));
  EXPECT_EQ(Expected("n2"), Milli({600, 1000}));
}

// Everything after which a pod is not expected any more.
TEST_F(ExpectationsTest, EndWhenThePodShowsUpOrWillNotCome) {
  const struct {
    const char* what;
    std::function<void()> happens;
    GpuFreeList known;  // on n1 afterwards
  } ends[] = {
      {"bound there", [&] { state_.UpsertPod(Bound("a", Share(300), "n1")); }, Milli({700, 1000})},
      {"gone", [&] { state_.RemovePod(PodUid("a")); }, Milli({700, 1000})},
      {"asked about again", [&] { state_.Withdraw(PodUid("b")); }, Milli({700, 1000})},
  };
  for (const auto& [what, happens, known] : ends) {
    SCOPED_TRACE(what);
    Expect(std::string(what) == "asked about again" ? "b" : "a", "n1", Share(300));
    happens();
    EXPECT_EQ(Expected("n1"), Known("n1"));
    EXPECT_EQ(state_.ExpectedView(clock_.Now()), state_.View());
  }
}

TEST_F(ExpectationsTest, EndWhenThePodIsBoundElsewhere) {
  Expect("a", "n1", Share(300));
  state_.UpsertPod(Bound("a", Share(300), "n2"));
  EXPECT_EQ(Expected("n1"), Milli({1000, 1000}));
  EXPECT_EQ(Expected("n2"), Milli({700, 1000}));
}

TEST_F(ExpectationsTest, OutliveNewsOfAPodThatIsStillPending) {
  Expect("a", "n1", Share(300));
  state_.UpsertPod(Pending("a", Share(300)));
  EXPECT_EQ(Expected("n1"), Milli({700, 1000}));
}

TEST_F(ExpectationsTest, EndWhenTheyWereWrongForTooLong) {
  Expect("a", "n1", Share(300));
  clock_.Advance(Expectations::kLongest / 2);
  Expect("b", "n2", Share(300));
  Expect("c", "n2", Share(300));
  clock_.Advance(Expectations::kLongest / 2);
  EXPECT_EQ(Expected("n1"), Milli({1000, 1000}));
  EXPECT_EQ(Expected("n2"), Milli({400, 1000}));
  EXPECT_THAT(metrics_.Text(), HasSubstr("berth_cluster_expectations_outdated_total 1\n"));
  EXPECT_THAT(metrics_.Text(), HasSubstr("berth_cluster_expected_pods 2\n"));
}

TEST_F(ExpectationsTest, AskingAgainStartsTheTimeAnew) {
  Expect("a", "n1", Share(300));
  clock_.Advance(Expectations::kLongest / 2);
  Expect("a", "n1", Share(300));
  clock_.Advance(Expectations::kLongest / 2);
  EXPECT_EQ(Expected("n1"), Milli({700, 1000}));
}

TEST_F(ExpectationsTest, ANewPictureEndsThoseThatItShowsBound) {
  Expect("a", "n1", Share(300));
  Expect("b", "n2", Share(300));
  state_.BeginEpoch();
  state_.UpsertNode(GpuNode("n1", 2));
  state_.UpsertNode(GpuNode("n2", 2));
  state_.UpsertPod(Bound("a", Share(300), "n1"));
  EXPECT_EQ(Expected("n1"), Milli({700, 1000})) << "the old books are in use, without the pod";
  state_.CompleteEpoch();
  EXPECT_EQ(Expected("n1"), Milli({700, 1000})) << "counted once";
  EXPECT_EQ(Expected("n2"), Milli({700, 1000})) << "still on its way";
}

TEST_F(ExpectationsTest, EndWithThePodAlsoWhileANewPictureIsDrawn) {
  Expect("a", "n1", Share(300));
  state_.BeginEpoch();
  state_.RemovePod(PodUid("a"));
  EXPECT_EQ(Expected("n1"), Milli({1000, 1000}));
}

TEST_F(ExpectationsTest, APodThatIsBoundAlreadyIsNotExpected) {
  state_.UpsertPod(Bound("a", Share(300), "n1"));
  Expect("a", "n2", Share(300));
  EXPECT_EQ(Expected("n2"), Milli({1000, 1000}));
}

TEST_F(ExpectationsTest, NodesThatComeAndGoMeanwhileDoNotMatter) {
  Expect("a", "n1", Share(300));
  Expect("b", "n3", Share(300));
  state_.RemoveNode(NodeName("n1"));
  EXPECT_EQ(state_.ExpectedView(clock_.Now())->Find("n1"), nullptr);
  state_.UpsertNode(GpuNode("n1", 4));
  state_.UpsertNode(GpuNode("n3", 1));
  EXPECT_EQ(Expected("n1"), Milli({700, 1000, 1000, 1000}));
  EXPECT_EQ(Expected("n3"), Milli({700}));
}

TEST_F(ExpectationsTest, StatesThatDifferDifferInTheirGeneration) {
  const uint64_t known = state_.View()->Find("n1")->generation;
  Expect("a", "n1", Share(300));
  const uint64_t one = state_.ExpectedView(clock_.Now())->Find("n1")->generation;
  EXPECT_EQ(state_.ExpectedView(clock_.Now())->Find("n1")->generation, one);
  Expect("b", "n1", Share(300));
  const uint64_t two = state_.ExpectedView(clock_.Now())->Find("n1")->generation;
  EXPECT_THAT((std::set{known, one, two}), ::testing::SizeIs(3));
}

}  // namespace
}  // namespace berth
