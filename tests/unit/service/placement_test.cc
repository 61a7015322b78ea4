#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "berth/v1/placement.grpc.pb.h"
#include "support/fake_wall_clock.h"
#include "unit/service/noted_decisions.h"
#include "unit/service/running_service.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

v1::NodeState State(uint32_t number, const v1::NodeFacts& node,
                    const std::vector<v1::PodFacts>& pods = {}) {
  v1::NodeState state;
  state.set_number(number);
  *state.mutable_node() = node;
  state.mutable_pods()->Add(pods.begin(), pods.end());
  return state;
}

// A scheduler with Berth inside, spoken by hand.
class Scheduler {
 public:
  Scheduler(const RunningService& service, std::string name)
      : name_(std::move(name)), stub_(v1::Placement::NewStub(service.channel())) {}

  grpc::Status SyncParts(const std::vector<std::vector<v1::NodeState>>& parts) {
    grpc::ClientContext context;
    v1::SyncResponse response;
    auto stream = stub_->Sync(&context, &response);
    ++sequence_;
    for (const auto& nodes : parts) {
      v1::SyncRequest part;
      part.set_feeder(name_);
      part.set_sequence(sequence_);
      part.mutable_nodes()->Add(nodes.begin(), nodes.end());
      stream->Write(part);
    }
    stream->WritesDone();
    const grpc::Status status = stream->Finish();
    if (status.ok()) confirmed_ = sequence_;
    return status;
  }
  void Sync(const std::vector<v1::NodeState>& nodes) {
    const grpc::Status status = SyncParts({nodes});
    ASSERT_TRUE(status.ok()) << status.error_message();
  }

  v1::RankRequest Request(const v1::PodFacts& pod, const std::vector<v1::NodeState>& changed = {},
                          const std::vector<uint32_t>& gone = {}) {
    v1::RankRequest request;
    request.set_feeder(name_);
    request.set_base(confirmed_);
    request.set_sequence(++sequence_);
    request.mutable_changed()->Add(changed.begin(), changed.end());
    request.mutable_gone()->Add(gone.begin(), gone.end());
    *request.mutable_pod() = pod;
    return request;
  }
  grpc::Status Send(const v1::RankRequest& request, v1::RankResponse& response) {
    grpc::ClientContext context;
    return stub_->Rank(&context, request, &response);
  }
  v1::RankResponse Rank(const v1::PodFacts& pod, const std::vector<v1::NodeState>& changed = {},
                        const std::vector<uint32_t>& gone = {}) {
    v1::RankResponse response;
    const grpc::Status status = Send(Request(pod, changed, gone), response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    if (response.has_ranking()) confirmed_ = sequence_;
    return response;
  }
  std::vector<uint32_t> Order(const v1::PodFacts& pod,
                              const std::vector<v1::NodeState>& changed = {},
                              const std::vector<uint32_t>& gone = {}) {
    const v1::RankResponse response = Rank(pod, changed, gone);
    EXPECT_TRUE(response.has_ranking());
    return {response.ranking().order().begin(), response.ranking().order().end()};
  }

  grpc::Status WhatIf(const v1::PodFacts& pod, uint32_t node,
                      const std::vector<std::string>& without,
                      const std::vector<v1::PodFacts>& with, v1::WhatIfResponse& response) {
    grpc::ClientContext context;
    v1::WhatIfRequest request;
    request.set_feeder(name_);
    request.set_base(confirmed_);
    request.set_node(node);
    *request.mutable_pod() = pod;
    request.mutable_without()->Add(without.begin(), without.end());
    request.mutable_with()->Add(with.begin(), with.end());
    return stub_->WhatIf(&context, request, &response);
  }

 private:
  const std::string name_;
  std::unique_ptr<v1::Placement::Stub> stub_;
  uint64_t confirmed_ = 0;
  uint64_t sequence_ = 0;
};

const v1::NodeFacts kSmall = ManagedNode("small", 8, 2);
const v1::NodeFacts kLarge = ManagedNode("large", 32, 2);

class PlacementTest : public ::testing::Test {
 protected:
  // Without pods the larger node comes first: the policy is MostFreeCpu.
  void SyncBoth() { scheduler_.Sync({State(1, kSmall), State(2, kLarge)}); }

  RunningService service_;
  Scheduler scheduler_{service_, "a-scheduler"};
};

TEST_F(PlacementTest, FirstContactAsksForEverythingAndSaysWhichLabelsMatter) {
  const v1::RankResponse response = scheduler_.Rank(ManagedPod("asks", 1, 500));
  ASSERT_TRUE(response.has_need_full());
  EXPECT_THAT(response.need_full().labels(),
              ElementsAre("nvidia.com/gpu.product", "nvidia.com/gpu.memory",
                          "topology.kubernetes.io/zone", "berth.dev/pool"));
}

TEST_F(PlacementTest, RanksEveryNodeByTheNumbersOfTheFeeder) {
  SyncBoth();
  const v1::RankResponse response = scheduler_.Rank(ManagedPod("asks", 1, 500));
  EXPECT_THAT(response.ranking().order(), ElementsAre(2, 1));
  EXPECT_EQ(response.ranking().feasible(), 2);
  EXPECT_EQ(response.ranking().policy(), "most-free-cpu");
  EXPECT_THAT(response.ranking().refused(), IsEmpty());
}

TEST_F(PlacementTest, APictureMayComeInParts) {
  ASSERT_TRUE(scheduler_.SyncParts({{State(1, kSmall)}, {}, {State(2, kLarge)}}).ok());
  EXPECT_THAT(scheduler_.Order(ManagedPod("asks", 1, 500)), ElementsAre(2, 1));
}

TEST_F(PlacementTest, APodThatWasOnlyAssumedCountsUntilItIsTakenBack) {
  SyncBoth();
  const v1::PodFacts pod = ManagedPod("asks", 1, 500);
  const v1::PodFacts assumed = ManagedPod("assumed", 30, 2000);
  EXPECT_THAT(scheduler_.Order(pod, {State(2, kLarge, {assumed})}), ElementsAre(1));
  EXPECT_THAT(scheduler_.Order(pod, {State(2, kLarge)}), ElementsAre(2, 1));
  EXPECT_THAT(scheduler_.Order(pod, {State(2, kLarge, {assumed})}), ElementsAre(1))
      << "the same pod may come back";
}

TEST_F(PlacementTest, APodMayMoveBetweenNodesInOneStep) {
  const v1::PodFacts moves = ManagedPod("moves", 7, 2000);
  scheduler_.Sync({State(1, kSmall, {moves}), State(2, kLarge)});
  const v1::PodFacts pod = ManagedPod("asks", 1, 1000);
  EXPECT_THAT(scheduler_.Order(pod), ElementsAre(2));
  EXPECT_THAT(scheduler_.Order(pod, {State(2, kLarge, {moves}), State(1, kSmall)}), ElementsAre(1));
  EXPECT_THAT(service_.metrics().Text(), Not(HasSubstr("kind=\"pod_moved\"} 1")));
}

TEST_F(PlacementTest, RefusalsSayWhetherADepartureCouldHelp) {
  v1::NodeFacts cpu_only = ManagedNode("cpu-only", 64, 0);
  scheduler_.Sync({State(1, kSmall, {ManagedPod("left", 1, 600), ManagedPod("right", 1, 600)}),
                   State(2, kLarge), State(3, cpu_only)});
  const v1::RankResponse response = scheduler_.Rank(ManagedPod("asks", 1, 800));
  EXPECT_THAT(response.ranking().order(), ElementsAre(2));
  ASSERT_EQ(response.ranking().refused_size(), 2);
  const v1::Refusal& never = response.ranking().refused(0);
  EXPECT_THAT(never.nodes(), ElementsAre(3));
  EXPECT_TRUE(never.never());
  EXPECT_EQ(never.reason(), "the node does not offer the GPU resource asked for");
  const v1::Refusal& now = response.ranking().refused(1);
  EXPECT_THAT(now.nodes(), ElementsAre(1));
  EXPECT_FALSE(now.never());
  EXPECT_EQ(now.reason(), "no single GPU has the free share asked for");
}

TEST_F(PlacementTest, ADemandThatIsNotSoundIsRefusedAsAWhole) {
  SyncBoth();
  const v1::RankResponse response = scheduler_.Rank(ManagedPod("asks", 1, 1500));
  EXPECT_THAT(response.ranking().invalid(), HasSubstr("1500 is neither a share"));
  EXPECT_THAT(response.ranking().order(), IsEmpty());
}

TEST_F(PlacementTest, ANodeThatIsGoneIsNoCandidateAndItsNumberIsFree) {
  SyncBoth();
  const v1::PodFacts pod = ManagedPod("asks", 1, 500);
  EXPECT_THAT(scheduler_.Order(pod, {}, {2}), ElementsAre(1));
  EXPECT_THAT(service_.Nodes(), ElementsAre("small"));
  EXPECT_THAT(scheduler_.Order(pod, {State(2, ManagedNode("new", 16, 1))}), ElementsAre(2, 1));
  EXPECT_THAT(service_.Nodes(), ElementsAre("new", "small"));
}

TEST_F(PlacementTest, ANumberGivenToAnotherNodeEndsTheFormer) {
  SyncBoth();
  EXPECT_THAT(scheduler_.Order(ManagedPod("asks", 1, 500), {State(2, ManagedNode("new", 4, 1))}),
              ElementsAre(1, 2));
  EXPECT_THAT(service_.Nodes(), ElementsAre("new", "small"));
}

TEST_F(PlacementTest, ALostAnswerIsMadeUpForByTellingMoreUnderTheSameBase) {
  SyncBoth();
  const v1::PodFacts pod = ManagedPod("asks", 1, 500);
  const v1::NodeState full = State(2, kLarge, {ManagedPod("assumed", 1, 2000)});
  v1::RankResponse lost;
  ASSERT_TRUE(scheduler_.Send(scheduler_.Request(pod, {full}), lost).ok());
  // The scheduler never saw that answer; its next request still builds on what was confirmed.
  EXPECT_THAT(scheduler_.Order(pod, {full}), ElementsAre(1));
}

TEST_F(PlacementTest, WhatComesLateIsNotApplied) {
  SyncBoth();
  const v1::PodFacts pod = ManagedPod("asks", 1, 500);
  const v1::RankRequest late =
      scheduler_.Request(pod, {State(2, kLarge, {ManagedPod("x", 1, 2000)})});
  EXPECT_THAT(scheduler_.Order(pod), ElementsAre(2, 1));
  v1::RankResponse response;
  EXPECT_EQ(scheduler_.Send(late, response).error_code(), grpc::StatusCode::ABORTED);
  EXPECT_THAT(scheduler_.Order(pod), ElementsAre(2, 1));
}

TEST_F(PlacementTest, AnotherSchedulerTakesOverAndTheFirstIsAskedForEverythingAgain) {
  SyncBoth();
  Scheduler other(service_, "another-scheduler");
  EXPECT_TRUE(other.Rank(ManagedPod("asks", 1, 500)).has_need_full());
  other.Sync({State(7, kSmall)});
  EXPECT_THAT(other.Order(ManagedPod("asks", 1, 500)), ElementsAre(7));
  EXPECT_TRUE(scheduler_.Rank(ManagedPod("asks", 1, 500)).has_need_full());
  SyncBoth();
  EXPECT_THAT(scheduler_.Order(ManagedPod("asks", 1, 500)), ElementsAre(2, 1));
}

TEST_F(PlacementTest, AFeedAndASchedulerSupersedeEachOther) {
  SyncBoth();
  RawFeed feed(service_);
  FeedAll(feed, {kSmall});
  EXPECT_TRUE(scheduler_.Rank(ManagedPod("asks", 1, 500)).has_need_full());
  SyncBoth();
  EXPECT_EQ(feed.AwaitEnd().error_code(), grpc::StatusCode::ABORTED);
  EXPECT_THAT(scheduler_.Order(ManagedPod("asks", 1, 500)), ElementsAre(2, 1));
}

TEST_F(PlacementTest, FactsThatCannotBeUsedLeaveTheirNodeOut) {
  v1::NodeFacts huge = kLarge;
  (*huge.mutable_annotations())["berth.dev/x"] = std::string(300'000, 'x');
  SyncBoth();
  const v1::PodFacts pod = ManagedPod("asks", 1, 500);
  EXPECT_THAT(scheduler_.Order(pod, {State(2, huge)}), ElementsAre(1));
  EXPECT_THAT(scheduler_.Order(pod, {State(2, kLarge)}), ElementsAre(2, 1));
}

TEST_F(PlacementTest, BadRequestsNameTheFieldAndChangeNothing) {
  SyncBoth();
  const v1::PodFacts pod = ManagedPod("asks", 1, 500);
  const auto request = [&](auto change) {
    v1::RankRequest bad = scheduler_.Request(pod);
    change(bad);
    return bad;
  };
  const struct {
    v1::RankRequest request;
    std::string says;
  } kCases[] = {
      {request([](auto& r) { r.clear_feeder(); }), "feeder: is required"},
      {request([](auto& r) { r.clear_sequence(); }), "sequence: is required"},
      {request([](auto& r) { r.clear_pod(); }), "pod: is required"},
      {request([](auto& r) { r.mutable_pod()->clear_uid(); }), "pod.uid: is required"},
      {request([](auto& r) { *r.add_changed() = State(100'000, kSmall); }), "must be below 100000"},
      {request([](auto& r) {
         *r.add_changed() = State(5, kSmall);
         *r.add_changed() = State(5, kLarge);
       }),
       "number: 5 is that of large and another node"},
      {request([](auto& r) {
         *r.add_changed() = State(5, kSmall);
         *r.add_changed() = State(6, kSmall);
       }),
       "node.name: small is there twice"},
  };
  for (const auto& [bad, says] : kCases) {
    v1::RankResponse response;
    const grpc::Status status = scheduler_.Send(bad, response);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << says;
    EXPECT_THAT(status.error_message(), HasSubstr(says));
  }
  EXPECT_THAT(scheduler_.Order(pod), ElementsAre(2, 1));
}

TEST_F(PlacementTest, WhatIfAnswersForTheNodeWithoutVictimsAndWithNominatedPods) {
  scheduler_.Sync({State(1, kSmall, {ManagedPod("left", 1, 600), ManagedPod("right", 1, 600)})});
  const v1::PodFacts pod = ManagedPod("asks", 1, 800);
  const struct {
    std::vector<std::string> without;
    std::vector<v1::PodFacts> with;
    std::string reason;
  } kCases[] = {
      {{}, {}, "no single GPU has the free share asked for"},
      {{"left"}, {}, ""},
      {{"left", "left", "nobody"}, {}, ""},
      {{"left"}, {ManagedPod("nominated", 1, 300)}, ""},  // beside `right`, where it fits best
      {{"left"}, {ManagedPod("nominated", 1, 500)}, "no single GPU has the free share asked for"},
      {{"left", "right"}, {ManagedPod("nominated", 1, 500)}, ""},
  };
  for (const auto& [without, with, reason] : kCases) {
    v1::WhatIfResponse response;
    const grpc::Status status = scheduler_.WhatIf(pod, 1, without, with, response);
    ASSERT_TRUE(status.ok()) << status.error_message();
    EXPECT_EQ(response.reason(), reason);
    EXPECT_FALSE(response.never());
  }
  EXPECT_THAT(scheduler_.Order(pod), IsEmpty()) << "asking changes nothing";
}

TEST_F(PlacementTest, WhatIfNeedsTheStateThatTheServiceHas) {
  SyncBoth();
  v1::WhatIfResponse response;
  const v1::PodFacts pod = ManagedPod("asks", 1, 800);
  EXPECT_EQ(scheduler_.WhatIf(pod, 9, {}, {}, response).error_code(),
            grpc::StatusCode::INVALID_ARGUMENT);
  Scheduler other(service_, "another-scheduler");
  EXPECT_EQ(other.WhatIf(pod, 1, {}, {}, response).error_code(),
            grpc::StatusCode::FAILED_PRECONDITION);
}

TEST_F(PlacementTest, HealthOfPlacementDoesNotWaitForAPicture) {
  using Health = grpc::health::v1::HealthCheckResponse;
  EXPECT_EQ(service_.Health("berth.v1.Placement"), Health::SERVING);
  EXPECT_EQ(service_.Health("berth.v1.Scoring"), Health::NOT_SERVING);
  SyncBoth();
  EXPECT_EQ(service_.Health("berth.v1.Scoring"), Health::SERVING);
}

TEST(PlacementDecisions, TellHowManyNodesWereRefusedBefore) {
  NotedDecisions decisions;
  const RealClock clock;
  const FakeWallClock wall_clock;
  const DecisionReporter reporter(decisions, clock, wall_clock);
  RunningService service(MostFreeCpu(), /*expectations=*/true, &reporter);
  Scheduler scheduler(service, "one");
  scheduler.Sync({State(0, kSmall), State(1, kLarge), State(2, ManagedNode("plain", 8, 0))});
  scheduler.Rank(ManagedPod("a", 2, 500));

  const std::vector<Decision> told = decisions.Take();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].pod.name, "a");
  EXPECT_EQ(told[0].candidates.size(), 2u);
  EXPECT_EQ(told[0].refused, 1u);
  EXPECT_EQ(told[0].candidates[told[0].ranking.order[0]]->name().value(), "large");
}

}  // namespace
}  // namespace berth
