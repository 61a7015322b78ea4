#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "policy/fallback.h"
#include "support/fake_wall_clock.h"
#include "unit/service/noted_decisions.h"
#include "unit/service/running_service.h"

namespace berth {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class WatchedScoring : public ::testing::Test {
 protected:
  // Starts a service with one node, asks about each pod and gives what was told of it.
  std::vector<Decision> DecisionsOn(const ScorerPtr& policy,
                                    const std::vector<v1::PodFacts>& pods) {
    RunningService service(policy, /*expectations=*/true, &reporter_);
    RawFeed feed(service);
    FeedAll(feed, {ManagedNode("n1", 8, 1)});
    for (const v1::PodFacts& pod : pods) {
      v1::ScoreResponse response;
      const grpc::Status status =
          service.Score(AskAbout<v1::ScoreRequest>(pod, {"no-such", "n1"}), response);
      EXPECT_TRUE(status.ok()) << status.error_message();
    }
    return decisions_.Take();
  }

  NotedDecisions decisions_;
  const RealClock clock_;
  FakeWallClock wall_clock_;
  const DecisionReporter reporter_{decisions_, clock_, wall_clock_};
  Metrics metrics_;
  CapturedLog log_;
};

TEST_F(WatchedScoring, TellsWhatWasAskedAndAnswered) {
  v1::PodFacts first = ManagedPod("a", 2, 500);
  first.set_owner("Job/train");
  const std::vector<Decision> told = DecisionsOn(MostFreeCpu(), {first, ManagedPod("b", 2, 1000)});
  ASSERT_THAT(told, SizeIs(2));
  const Decision& decision = told[0];
  EXPECT_EQ(decision.pod, (DecidedPod{"ml", "a", "a", "Job/train"}));
  EXPECT_EQ(decision.time, wall_clock_.Now());
  EXPECT_EQ(decision.demand.per_gpu, MilliGpu(500));
  ASSERT_THAT(decision.candidates, SizeIs(2));
  EXPECT_EQ(decision.candidates[0], nullptr) << "the service knows no such node";
  EXPECT_EQ(decision.candidates[1], decision.cluster->Find("n1"));
  EXPECT_EQ(decision.ranking.feasible, 1u);
  EXPECT_EQ(decision.ranking.unknown, 1u);
  EXPECT_EQ(decision.ranking.policy, "most-free-cpu");
  EXPECT_EQ(decision.guard, "");
  EXPECT_EQ(told[1].ranking.feasible, 0u) << "half of the GPU is taken";
  EXPECT_GT(told[1].request, decision.request);
}

TEST_F(WatchedScoring, TellsWhyAnotherPolicyAnswered) {
  const ScorerPtr guarded = MakeFallbackScorer(FailingScorer("learned", absl::InternalError("no")),
                                               ConstantScorer("plain", 1), metrics_, log_.logger());
  const std::vector<Decision> told = DecisionsOn(guarded, {ManagedPod("a", 2, 500)});
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_EQ(told[0].ranking.policy, "plain");
  EXPECT_EQ(told[0].guard, "learned failed");
}

TEST_F(WatchedScoring, TellsThatAnotherAnsweredEvenUnderTheSameName) {
  const ScorerPtr guarded =
      MakeFallbackScorer(FailingScorer("plain", absl::DeadlineExceededError("late")),
                         ConstantScorer("plain", 1), metrics_, log_.logger());
  const std::vector<Decision> told = DecisionsOn(guarded, {ManagedPod("a", 2, 500)});
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_EQ(told[0].guard, "plain was late");
}

TEST_F(WatchedScoring, TellsNothingAboutAPodThatNoNodeCanEverTake) {
  EXPECT_THAT(DecisionsOn(MostFreeCpu(), {ManagedPod("a", 2, 1500)}), IsEmpty());
}

}  // namespace
}  // namespace berth
