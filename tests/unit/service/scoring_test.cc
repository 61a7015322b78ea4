#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "unit/service/running_service.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Asks with all three methods; the names are of no node.
std::vector<grpc::Status> AskAll(RunningService& service, const v1::PodFacts* pod,
                                 const std::vector<std::string>& names) {
  auto filter = AskAbout<v1::FilterRequest>({}, names);
  auto score = AskAbout<v1::ScoreRequest>({}, names);
  auto explain = AskAbout<v1::ExplainRequest>({}, names);
  for (auto* asked : {filter.mutable_pod(), score.mutable_pod(), explain.mutable_pod()}) {
    if (pod != nullptr) *asked = *pod;
  }
  if (pod == nullptr) {
    filter.clear_pod();
    score.clear_pod();
    explain.clear_pod();
  }
  v1::FilterResponse filter_response;
  v1::ScoreResponse score_response;
  v1::ExplainResponse explain_response;
  return {service.Filter(filter, filter_response), service.Score(score, score_response),
          service.Explain(explain, explain_response)};
}

TEST(Scoring, AnswersNothingBeforeTheFirstEpochIsComplete) {
  RunningService service;
  RawFeed feed(service);
  ASSERT_TRUE(feed.Begin());
  ASSERT_TRUE(feed.SendNode(ManagedNode("n1", 8, 2)));
  ASSERT_TRUE(feed.AwaitAcknowledged());
  const v1::PodFacts pod = ManagedPod("p", 1, 500);
  for (const grpc::Status& status : AskAll(service, &pod, {"n1"})) {
    EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE);
    EXPECT_THAT(status.error_message(), HasSubstr("not synced"));
  }
  ASSERT_TRUE(feed.Complete());
  ASSERT_TRUE(feed.AwaitAcknowledged());
  for (const grpc::Status& status : AskAll(service, &pod, {"n1"})) EXPECT_TRUE(status.ok());
}

TEST(Scoring, BadRequestsAreRefusedWithTheFieldsName) {
  RunningService service;
  RawFeed feed(service);
  FeedAll(feed, {ManagedNode("n1", 8, 2)});

  const v1::PodFacts good = ManagedPod("p", 1, 500);
  v1::PodFacts without_uid = good;
  without_uid.clear_uid();
  v1::PodFacts with_a_novel = good;
  (*with_a_novel.mutable_annotations())["berth.dev/novel"] = std::string(256 * 1024, 'x');
  const std::vector<std::string> crowd(20'001, "n1");
  struct Case {
    const v1::PodFacts* pod;
    std::vector<std::string> names;
    std::string want;
    bool explain_too;
  };
  const Case cases[] = {
      {nullptr, {"n1"}, "pod: is required", true},
      {&without_uid, {"n1"}, "pod.uid: is required", false},
      {&with_a_novel, {"n1"}, "pod.annotations: has 262159 bytes, may have 262144", true},
      {&good, crowd, "node_names: has 20001 names, may have 20000", true},
  };
  for (const Case& c : cases) {
    const std::vector<grpc::Status> answers = AskAll(service, c.pod, c.names);
    for (size_t i = 0; i < answers.size(); ++i) {
      const bool is_explain = i == 2;
      if (is_explain && !c.explain_too) {
        EXPECT_TRUE(answers[i].ok()) << answers[i].error_message();
        continue;
      }
      EXPECT_EQ(answers[i].error_code(), grpc::StatusCode::INVALID_ARGUMENT) << c.want;
      EXPECT_EQ(answers[i].error_message(), c.want);
    }
  }
}

TEST(Scoring, TwentyThousandLongNamesAreFine) {
  RunningService service;
  RawFeed feed(service);
  FeedAll(feed, {ManagedNode("n1", 8, 2)});
  const std::vector<std::string> crowd(20'000, std::string(250, 'n'));  // about 5 MB
  const v1::PodFacts pod = ManagedPod("p", 1, 500);
  for (const grpc::Status& status : AskAll(service, &pod, crowd)) {
    EXPECT_TRUE(status.ok()) << status.error_message();
  }
}

// n1: two GPUs, half of one taken.  n2: one GPU, 700 of 1000 taken.  n3: no GPU.
// n4: whole GPUs that the kubelet hands out.  n5: one GPU, all of its CPU taken.
class SmallCluster : public ::testing::Test {
 protected:
  SmallCluster() : feed_(service_) {
    v1::NodeFacts observed = ManagedNode("n4", 32, 0);
    (*observed.mutable_allocatable())["nvidia.com/gpu"] = 4;
    v1::NodeFacts cordoned = ManagedNode("n6", 4, 1);
    cordoned.set_unschedulable(true);
    FeedAll(feed_,
            {ManagedNode("n1", 16, 2), ManagedNode("n2", 8, 1), ManagedNode("n3", 64, 0), observed,
             ManagedNode("n5", 8, 1), cordoned},
            {ManagedPod("a", 1, 500, "n1"), ManagedPod("b", 1, 700, "n2"),
             ManagedPod("c", 8, 0, "n5")});
  }

  RunningService service_;
  RawFeed feed_;
};

TEST_F(SmallCluster, FilterRefusesWhatKubeSchedulerCannotSee) {
  // n5 has no CPU left, but that is kube-scheduler's own check.
  const auto request = AskAbout<v1::FilterRequest>(
      ManagedPod("p", 2, 500), {"n1", "n2", "n3", "n4", "n5", "nowhere", "n2", "n6"});
  v1::FilterResponse response;
  ASSERT_TRUE(service_.Filter(request, response).ok());
  ASSERT_THAT(response.refused(), SizeIs(2));
  EXPECT_EQ(response.refused(0).reason(), "no single GPU has the free share asked for");
  EXPECT_FALSE(response.refused(0).never());
  EXPECT_THAT(response.refused(0).nodes(), ElementsAre(1, 6));
  EXPECT_EQ(response.refused(1).reason(), "the node does not offer the GPU resource asked for");
  EXPECT_TRUE(response.refused(1).never());
  EXPECT_THAT(response.refused(1).nodes(), ElementsAre(2, 3));
  EXPECT_THAT(response.unknown(), ElementsAre(5));
}

TEST_F(SmallCluster, FilterOfNoCandidatesIsEmpty) {
  v1::FilterResponse response;
  ASSERT_TRUE(
      service_.Filter(AskAbout<v1::FilterRequest>(ManagedPod("p", 2, 1500), {}), response).ok());
  EXPECT_THAT(response.refused(), IsEmpty());
}

TEST_F(SmallCluster, ScoreOrdersWhatFitsThenWhatDoesNotThenTheUnknown) {
  // Free cores: n1 15, n6 4; n2 has no half GPU, n5 no CPU.
  const auto request = AskAbout<v1::ScoreRequest>(ManagedPod("p", 2, 500),
                                                  {"nowhere", "n5", "n6", "n2", "n1", "n6"});
  v1::ScoreResponse response;
  ASSERT_TRUE(service_.Score(request, response).ok());
  EXPECT_THAT(response.order(), ElementsAre(4, 2, 5, 3, 1, 0));
  EXPECT_THAT(response.scores(), ElementsAre(15, 4, 4));
  EXPECT_EQ(response.feasible(), 3u);
  EXPECT_EQ(response.unknown(), 1u);
  EXPECT_EQ(response.policy(), "most-free-cpu");
}

TEST_F(SmallCluster, ScoreAsksNoPolicyWhenNothingFits) {
  v1::ScoreResponse response;
  ASSERT_TRUE(
      service_.Score(AskAbout<v1::ScoreRequest>(ManagedPod("p", 2, 500), {"n3"}), response).ok());
  EXPECT_THAT(response.order(), ElementsAre(0));
  EXPECT_EQ(response.feasible(), 0u);
  EXPECT_EQ(response.policy(), "");
}

TEST_F(SmallCluster, ADemandThatIsNotSoundIsRefusedEverywhereInItsOwnWords) {
  v1::PodFacts pod = ManagedPod("p", 2, 1500);  // neither a share nor whole GPUs
  v1::FilterResponse filter;
  ASSERT_TRUE(
      service_.Filter(AskAbout<v1::FilterRequest>(pod, {"n1", "nowhere", "n3"}), filter).ok());
  ASSERT_THAT(filter.refused(), SizeIs(1));
  EXPECT_THAT(filter.refused(0).reason(), HasSubstr("berth.dev/gpu-milli: 1500"));
  EXPECT_TRUE(filter.refused(0).never());
  EXPECT_THAT(filter.refused(0).nodes(), ElementsAre(0, 1, 2));

  v1::ScoreResponse score;
  ASSERT_TRUE(service_.Score(AskAbout<v1::ScoreRequest>(pod, {"n1", "n3"}), score).ok());
  EXPECT_EQ(score.feasible(), 0u);

  v1::ExplainResponse explain;
  ASSERT_TRUE(service_.Explain(AskAbout<v1::ExplainRequest>(pod, {"n1"}), explain).ok());
  EXPECT_EQ(explain.demand().invalid(), filter.refused(0).reason());
  EXPECT_FALSE(explain.nodes(0).feasible());
  EXPECT_EQ(explain.nodes(0).reason(), filter.refused(0).reason());
}

TEST_F(SmallCluster, ExplainTellsEverythingAboutEveryNode) {
  v1::PodFacts pod = ManagedPod("", 2, 500);
  (*pod.mutable_annotations())["berth.dev/gpu-model"] = "A100";
  (*pod.mutable_annotations())["berth.dev/expected-duration"] = "soon";
  v1::ExplainResponse response;
  ASSERT_TRUE(service_.Explain(AskAbout<v1::ExplainRequest>(pod, {}), response).ok());

  EXPECT_EQ(response.demand().cpu_milli(), 2000);
  EXPECT_EQ(response.demand().memory_mib(), 1024);
  EXPECT_EQ(response.demand().gpus(), 1u);
  EXPECT_EQ(response.demand().milli_per_gpu(), 500);
  EXPECT_EQ(response.demand().accounting(), v1::GPU_ACCOUNTING_MANAGED);
  EXPECT_THAT(response.demand().models(), ElementsAre("A100"));
  EXPECT_THAT(response.ignored_wish(), HasSubstr("soon"));
  EXPECT_EQ(response.policy(), "most-free-cpu");
  EXPECT_GT(response.cluster_version(), 0u);

  ASSERT_THAT(response.nodes(), SizeIs(6));
  const v1::NodeVerdict& best = response.nodes(0);
  EXPECT_EQ(best.node(), "n1");
  EXPECT_TRUE(best.known());
  EXPECT_TRUE(best.feasible());
  EXPECT_FALSE(best.cordoned());
  EXPECT_EQ(best.score(), 15);
  EXPECT_THAT(best.gpus(), ElementsAre(0)) << "where the pod fits best";
  EXPECT_EQ(best.free_cpu_milli(), 15'000);
  EXPECT_EQ(best.free_memory_mib(), 63 * 1024);
  EXPECT_THAT(best.free_gpu_milli(), ElementsAre(500, 1000));
  EXPECT_EQ(best.model(), "NVIDIA-A100-SXM4-80GB");
  EXPECT_EQ(response.nodes(1).node(), "n6");
  EXPECT_TRUE(response.nodes(1).feasible());
  EXPECT_TRUE(response.nodes(1).cordoned());

  std::vector<std::string> refused;
  for (int i = 2; i < response.nodes_size(); ++i) {
    EXPECT_FALSE(response.nodes(i).feasible());
    refused.push_back(response.nodes(i).node() + ": " + response.nodes(i).reason());
  }
  EXPECT_THAT(refused, ElementsAre("n2: no single GPU has the free share asked for",
                                   "n3: the node does not offer the GPU resource asked for",
                                   "n4: the node does not offer the GPU resource asked for",
                                   "n5: not enough free CPU"));
}

TEST_F(SmallCluster, ExplainOfNamedNodesNamesTheUnknownToo) {
  const auto request =
      AskAbout<v1::ExplainRequest>(ManagedPod("p", 2, 500), {"n2", "a-typo", "n1"});
  v1::ExplainResponse response;
  ASSERT_TRUE(service_.Explain(request, response).ok());
  ASSERT_THAT(response.nodes(), SizeIs(3));
  EXPECT_EQ(response.nodes(0).node(), "n1");
  EXPECT_EQ(response.nodes(1).node(), "a-typo");
  EXPECT_FALSE(response.nodes(1).known());
  EXPECT_THAT(response.nodes(1).reason(), HasSubstr("does not know"));
  EXPECT_EQ(response.nodes(2).node(), "n2");
}

TEST_F(SmallCluster, RequestsAreCounted) {
  v1::FilterResponse response;
  const auto good = AskAbout<v1::FilterRequest>(ManagedPod("p", 2, 500), {"n1", "n2"});
  ASSERT_TRUE(service_.Filter(good, response).ok());
  ASSERT_FALSE(service_.Filter({}, response).ok());
  service_.server().Drain(std::chrono::seconds(30));  // what is counted is counted by now
  const std::string text = service_.metrics().Text();
  EXPECT_THAT(text, HasSubstr("berth_requests_total{code=\"OK\",method=\"Filter\"} 1"));
  EXPECT_THAT(text,
              HasSubstr("berth_requests_total{code=\"INVALID_ARGUMENT\",method=\"Filter\"} 1"));
  EXPECT_THAT(text, HasSubstr("berth_requests_total{code=\"OK\",method=\"Score\"} 0"));
  EXPECT_THAT(text, HasSubstr("berth_request_candidates_total{method=\"Filter\"} 2"));
  EXPECT_THAT(text, HasSubstr("berth_request_seconds_count{method=\"Filter\"} 2"));
}

// kube-scheduler asks about the next pod before the watch shows where the last one went.
class PodsInARow : public ::testing::Test {
 protected:
  void Start(bool expectations) {
    service_ = std::make_unique<RunningService>(MostFreeCpu(), expectations);
    feed_ = std::make_unique<RawFeed>(*service_);
    FeedAll(*feed_, {ManagedNode("n1", 10, 1), ManagedNode("n2", 9, 1)});
  }
  // The node that is ranked first for a pod with three cores and half of a GPU.
  std::string First(const std::string& uid) {
    v1::ScoreResponse response;
    const auto request = AskAbout<v1::ScoreRequest>(ManagedPod(uid, 3, 500), {"n1", "n2"});
    EXPECT_TRUE(service_->Score(request, response).ok());
    return request.node_names(response.order(0));
  }
  void Filter(const std::string& uid) {
    v1::FilterResponse response;
    const auto request = AskAbout<v1::FilterRequest>(ManagedPod(uid, 3, 500), {"n1", "n2"});
    EXPECT_TRUE(service_->Filter(request, response).ok());
    EXPECT_THAT(response.refused(), IsEmpty()) << "what is only expected refuses nothing";
  }

  std::unique_ptr<RunningService> service_;
  std::unique_ptr<RawFeed> feed_;
};

TEST_F(PodsInARow, AreRankedAsIfThoseBeforeHadGoneWhereTheyWereRankedFirst) {
  Start(/*expectations=*/true);
  EXPECT_EQ(First("a"), "n1");  // leaves 7 and 9 cores
  EXPECT_EQ(First("b"), "n2");  // 7 and 6
  EXPECT_EQ(First("c"), "n1");  // 4 and 6
  EXPECT_EQ(First("d"), "n2");
  Filter("e");
}

TEST_F(PodsInARow, WithoutExpectationsAllCrowdOnOneNode) {
  Start(/*expectations=*/false);
  for (const std::string uid : {"a", "b", "c", "d"}) EXPECT_EQ(First(uid), "n1");
}

TEST_F(PodsInARow, AskingAgainAboutAPodForgetsWhatWasExpectedOfIt) {
  Start(/*expectations=*/true);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(First("a"), "n1");
  Filter("a");
  EXPECT_EQ(First("b"), "n1");
}

TEST_F(PodsInARow, WhatTheWatchShowsTakesThePlaceOfWhatWasExpected) {
  Start(/*expectations=*/true);
  EXPECT_EQ(First("a"), "n1");
  ASSERT_TRUE(feed_->SendPod(ManagedPod("a", 3, 500, "n2")));
  ASSERT_TRUE(feed_->AwaitAcknowledged());
  EXPECT_EQ(First("b"), "n1") << "10 and 6 cores";
}

TEST(Scoring, ThePolicysErrorIsTheAnswer) {
  RunningService service(FailingScorer("broken", absl::InternalError("it is broken")));
  RawFeed feed(service);
  FeedAll(feed, {ManagedNode("n1", 8, 2)});
  v1::ScoreResponse response;
  const grpc::Status status =
      service.Score(AskAbout<v1::ScoreRequest>(ManagedPod("p", 2, 500), {"n1"}), response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INTERNAL);
  EXPECT_EQ(status.error_message(), "it is broken");
}

TEST(Scoring, TheCallsDeadlineIsThePolicysDeadline) {
  std::vector<Clock::TimePoint> deadlines;
  RunningService service(std::make_shared<FakeScorer>(
      "notes-deadlines", [&](const ScoreRequest& request, std::span<float> scores) {
        deadlines.push_back(request.deadline);
        std::ranges::fill(scores, 0);
        return absl::OkStatus();
      }));
  RawFeed feed(service);
  FeedAll(feed, {ManagedNode("n1", 8, 2)});
  const auto request = AskAbout<v1::ScoreRequest>(ManagedPod("p", 2, 500), {"n1"});
  v1::ScoreResponse response;
  ASSERT_TRUE(service.Score(request, response).ok());

  const RealClock clock;
  const auto stub = v1::Scoring::NewStub(service.channel());
  grpc::ClientContext context;
  const Clock::TimePoint before = clock.Now();
  SetTimeout(context, std::chrono::minutes(10));
  ASSERT_TRUE(stub->Score(&context, request, &response).ok());
  const Clock::TimePoint after = clock.Now();

  ASSERT_THAT(deadlines, SizeIs(2));
  EXPECT_EQ(deadlines[0], Clock::TimePoint::max());
  constexpr std::chrono::seconds kRounding{1};  // gRPC sends eight digits at most
  EXPECT_GE(deadlines[1], before + std::chrono::minutes(10) - kRounding);
  EXPECT_LE(deadlines[1], after + std::chrono::minutes(10) + kRounding);
}

}  // namespace
}  // namespace berth
