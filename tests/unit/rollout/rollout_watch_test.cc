#include "rollout/rollout_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "policy/ranking.h"
#include "support/captured_log.h"
#include "support/fake_clock.h"
#include "support/fake_scorer.h"
#include "support/served.h"
#include "support/small_case.h"
#include "support/views.h"

namespace berth {
namespace {

using std::chrono::microseconds;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// Takes the node with this name.
ScorerPtr Prefers(const std::string& name, const std::string& node) {
  return std::make_shared<FakeScorer>(
      name, [node](const ScoreRequest& request, std::span<float> scores) {
        for (size_t i = 0; i < scores.size(); ++i) {
          scores[i] = request.candidates[i]->name().value() == node ? 1 : 0;
        }
        return absl::OkStatus();
      });
}

// A node with one GPU: SmallShare takes 0.3 of it.
Node OneGpu(const std::string& name, int64_t free) {
  Node node = SmallNode(name);
  NodeSpec spec = *node.spec;
  spec.gpus = 1;
  node.spec = std::make_shared<const NodeSpec>(std::move(spec));
  node.free.gpus = {MilliGpu(free)};
  return node;
}

class RolloutWatchTest : public testing::Test {
 protected:
  // Decides as the service does, by whoever's turn it is.
  void Decide(const std::string& pod, const std::string& owner = "Job/active",
              Guard guard = Guard::kNone, std::chrono::nanoseconds latency = microseconds(100)) {
    const DecidedPod asked{.namespace_name = owner, .name = pod, .uid = pod, .owner = owner};
    Decision decision{.pod = asked,
                      .demand = SmallShare(),
                      .cluster = view_,
                      .candidates = AllNodes(*view_),
                      .served = slot_.For(asked, {}),
                      .latency = latency};
    decision.ranking =
        Rank(*decision.served->scorer, view_, decision.demand, decision.candidates).value();
    decision.ranking.guard = guard;
    watch_.Watch(decision);
  }

  void Put(ScorerPtr active, ScorerPtr canary, ScorerPtr shadow) {
    PolicyRoutes routes = RoutesTo(std::move(active), "1");
    if (canary != nullptr) {
      routes.canary = {Served(std::move(canary), "2"), {.namespaces = {"Job/canary"}}};
    }
    if (shadow != nullptr) routes.shadow = Served(std::move(shadow), "3");
    slot_.Swap(std::move(routes));
  }

  PolicyTally Of(PolicyRole role) const {
    const std::vector<PolicyTally> tallies = watch_.Tallies();
    const auto found = std::ranges::find(tallies, role, &PolicyTally::role);
    return found == tallies.end() ? PolicyTally{.policy = "nobody"} : *found;
  }
  bool Has(const std::string& metric) const {
    return metrics_.Text().find(metric + "\n") != std::string::npos;
  }

  // Half of the mix's pods, weighed 3 to 1, want half a GPU, the others two. So the rest of a GPU
  // is of use to the first while it is at least a half:
  //   a: 800 -> 500 free   F = 1/4 * 800 = 200 -> 1/4 * 500 = 125: 75 less
  //   b: 700 -> 400 free   F = 1/4 * 700 = 175 -> 400: 225 more
  ClusterViewPtr view_ = ViewOf({OneGpu("a", 800), OneGpu("b", 700)}, SmallProfile());
  FakeClock clock_;
  Metrics metrics_;
  CapturedLog log_;
  PolicySlot slot_{RoutesTo(Prefers("takes-a", "a"), "1")};
  RolloutWatch watch_{slot_, clock_, metrics_, log_.logger()};
};

TEST_F(RolloutWatchTest, CountsWhatTheActivePolicyAnswers) {
  for (int i = 1; i <= 100; ++i) {
    Decide("p" + std::to_string(i), "Job/active", Guard::kNone, microseconds(i));
  }
  const PolicyTally active = Of(PolicyRole::kActive);
  EXPECT_EQ(active.policy, "takes-a 1");
  EXPECT_EQ(active.decisions, 100);
  EXPECT_EQ(active.differ, 0);
  EXPECT_EQ(active.p50, microseconds(50));
  EXPECT_EQ(active.p99, microseconds(99));
  EXPECT_EQ(active.recent, (RecentDecisions{.decisions = 100}));
  EXPECT_THAT(watch_.Tallies(), SizeIs(1));
}

TEST_F(RolloutWatchTest, AsksTheShadowAndAnswersNothingByIt) {
  Put(Prefers("takes-a", "a"), nullptr, Prefers("takes-b", "b"));
  for (int i = 0; i < 4; ++i) Decide("p" + std::to_string(i));
  const PolicyTally shadow = Of(PolicyRole::kShadow);
  EXPECT_EQ(shadow.policy, "takes-b 3");
  EXPECT_EQ(shadow.decisions, 4);
  EXPECT_EQ(shadow.differ, 4);
  EXPECT_NEAR(shadow.regret, (225.0 + 75) / 300, 1e-9);
  EXPECT_TRUE(Has("berth_watched_decisions_total{outcome=\"differs\",role=\"shadow\"} 4") ||
              Has("berth_watched_decisions_total{role=\"shadow\",outcome=\"differs\"} 4"))
      << metrics_.Text();
  EXPECT_EQ(Of(PolicyRole::kActive).decisions, 4);
}

TEST_F(RolloutWatchTest, EqualNodesAreTheSameChoice) {
  view_ = ViewOf({OneGpu("a", 800), OneGpu("b", 800)}, SmallProfile());
  Put(Prefers("takes-a", "a"), nullptr, Prefers("takes-b", "b"));
  Decide("p");
  EXPECT_EQ(Of(PolicyRole::kShadow).decisions, 1);
  EXPECT_EQ(Of(PolicyRole::kShadow).differ, 0);
  EXPECT_EQ(Of(PolicyRole::kShadow).regret, 0);
}

TEST_F(RolloutWatchTest, WithOneNodeToChooseThereIsNothingToCompare) {
  view_ = ViewOf({OneGpu("a", 800), OneGpu("b", 100)}, SmallProfile());
  Put(Prefers("takes-a", "a"), nullptr, Prefers("takes-b", "b"));
  Decide("p");
  EXPECT_EQ(Of(PolicyRole::kShadow).decisions, 0);
  EXPECT_EQ(Of(PolicyRole::kActive).decisions, 0);
  EXPECT_EQ(Of(PolicyRole::kActive).recent.decisions, 1) << "it went well, though";
}

TEST_F(RolloutWatchTest, ComparesTheCanaryWithWhatTheActivePolicyWouldHaveChosen) {
  Put(Prefers("takes-b", "b"), Prefers("takes-a", "a"), nullptr);
  Decide("p1", "Job/canary");
  Decide("p2", "Job/canary");
  Decide("p3", "Job/active");
  const PolicyTally canary = Of(PolicyRole::kCanary);
  EXPECT_EQ(canary.policy, "takes-a 2");
  EXPECT_EQ(canary.decisions, 2);
  EXPECT_EQ(canary.differ, 2);
  EXPECT_NEAR(canary.regret, (-75.0 - 225) / 300, 1e-9) << "it is better";
  EXPECT_EQ(Of(PolicyRole::kActive).decisions, 1);
}

TEST_F(RolloutWatchTest, TellsWhatWentWrongApart) {
  Put(Prefers("takes-b", "b"), Prefers("takes-a", "a"), nullptr);
  const Guard guards[] = {Guard::kNotFinite, Guard::kError,  Guard::kDeadline,
                          Guard::kRegret,    Guard::kRanges, Guard::kNone};
  int pod = 0;
  for (const Guard guard : guards) Decide(std::to_string(++pod), "Job/canary", guard);
  const PolicyTally canary = Of(PolicyRole::kCanary);
  EXPECT_EQ(canary.recent,
            (RecentDecisions{.decisions = 6, .not_finite = 1, .failed = 2, .guarded = 2}));
  EXPECT_EQ(canary.guarded, 5);
}

TEST_F(RolloutWatchTest, OnlyTheLastDecisionsAreRecent) {
  Decide("bad", "Job/active", Guard::kError);
  for (int i = 1; i < RecentDecisions::kMost; ++i) Decide("p" + std::to_string(i));
  EXPECT_EQ(Of(PolicyRole::kActive).recent.failed, 1);
  Decide("one more");
  EXPECT_EQ(Of(PolicyRole::kActive).recent, (RecentDecisions{.decisions = RecentDecisions::kMost}));
  EXPECT_EQ(Of(PolicyRole::kActive).guarded, 1) << "of all";
}

TEST_F(RolloutWatchTest, APodThatComesBackCountsForWhoAnsweredIt) {
  Put(Prefers("takes-b", "b"), Prefers("takes-a", "a"), nullptr);
  Decide("p1", "Job/canary");
  Decide("p2", "Job/active");
  Decide("p1", "Job/canary");
  EXPECT_EQ(Of(PolicyRole::kCanary).asked_again, 1);
  EXPECT_EQ(Of(PolicyRole::kCanary).recent.asked_again, 1);
  EXPECT_EQ(Of(PolicyRole::kActive).asked_again, 0);
}

TEST_F(RolloutWatchTest, APodThatFitNowhereMayComeBack) {
  const ClusterViewPtr room = view_;
  view_ = ViewOf({OneGpu("a", 0)}, SmallProfile());
  Decide("p");
  view_ = room;
  Decide("p");
  EXPECT_EQ(Of(PolicyRole::kActive).asked_again, 0);
  EXPECT_EQ(Of(PolicyRole::kActive).recent.decisions, 1);
}

TEST_F(RolloutWatchTest, AShadowThatFailsIsToldOnceAndHarmsNobody) {
  Put(Prefers("takes-a", "a"), nullptr, FailingScorer("broken", absl::InternalError("x")));
  for (int i = 0; i < 3; ++i) Decide("p" + std::to_string(i));
  EXPECT_EQ(Of(PolicyRole::kShadow).recent, (RecentDecisions{.decisions = 3, .failed = 3}));
  EXPECT_EQ(Of(PolicyRole::kShadow).decisions, 0);
  EXPECT_EQ(Of(PolicyRole::kActive).decisions, 3);
  EXPECT_THAT(log_.Lines(), SizeIs(1));
  EXPECT_THAT(log_.text(), HasSubstr("the shadow fails; nobody relies on it"));
}

TEST_F(RolloutWatchTest, NumbersAreOfThePolicyThatHasTheRoleNow) {
  Put(Prefers("takes-a", "a"), Prefers("takes-a", "a"), Prefers("takes-b", "b"));
  Decide("p1", "Job/canary");
  EXPECT_THAT(watch_.Tallies(), SizeIs(3));
  Put(Prefers("takes-b", "b"), nullptr, nullptr);
  EXPECT_THAT(watch_.Tallies(), SizeIs(0)) << "nothing is known about it yet";
  Decide("p2");
  EXPECT_EQ(Of(PolicyRole::kActive).policy, "takes-b 1");
  EXPECT_EQ(Of(PolicyRole::kActive).decisions, 1);
}

TEST_F(RolloutWatchTest, QuantilesAreOfTheLastThousand) {
  for (int i = 1; i <= 1500; ++i) {
    Decide("p" + std::to_string(i), "Job/active", Guard::kNone, microseconds(i));
  }
  EXPECT_EQ(Of(PolicyRole::kActive).p50, microseconds(1000));
  EXPECT_EQ(Of(PolicyRole::kActive).p99, microseconds(1490));
}

}  // namespace
}  // namespace berth
