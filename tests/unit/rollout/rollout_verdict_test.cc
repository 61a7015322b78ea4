#include "rollout/rollout_verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace berth {
namespace {

using Kind = RolloutVerdict::Kind;
using std::chrono::microseconds;
using ::testing::HasSubstr;

RolloutPlan WithConditions() {
  return {.active = "a",
          .canary = CanaryPlan{"b", {.percent = 10}},
          .promote = PromotionPlan{1000, 0.005, microseconds(2000)}};
}

// Tallies of an active policy that does well, and a canary that is good enough.
std::vector<PolicyTally> GoodTallies() {
  const PolicyTally active{.role = PolicyRole::kActive,
                           .policy = "a 1",
                           .recent = {.decisions = 200, .asked_again = 10}};
  const PolicyTally canary{.role = PolicyRole::kCanary,
                           .policy = "b 2",
                           .decisions = 1000,
                           .regret = 0.005,
                           .p99 = microseconds(2000),
                           .recent = {.decisions = 200}};
  return {active, canary};
}

struct Case {
  const char* name;
  std::function<void(PolicyTally& canary)> change;
  Kind want;
  const char* why;
};

void Judge(const Case& c) {
  std::vector<PolicyTally> tallies = GoodTallies();
  c.change(tallies[1]);
  const RolloutVerdict verdict = JudgeRollout(WithConditions(), tallies);
  EXPECT_EQ(verdict.kind, c.want) << c.name << ": " << verdict.why;
  EXPECT_THAT(verdict.why, HasSubstr(c.why)) << c.name;
}

TEST(RolloutVerdict, PromotesOnceEveryConditionHolds) {
  const Case cases[] = {
      {"just good enough", [](PolicyTally&) {}, Kind::kPromote,
       "b 2: 1000 decisions, regret 0.5%, p99 2 ms"},
      {"one decision short", [](PolicyTally& t) { t.decisions = 999; }, Kind::kNothing, ""},
      {"too much regret", [](PolicyTally& t) { t.regret = 0.0051; }, Kind::kNotYet,
       "its regret is 0.51%, may be 0.5%"},
      {"better than the active one", [](PolicyTally& t) { t.regret = -0.2; }, Kind::kPromote, ""},
      {"too slow", [](PolicyTally& t) { t.p99 = microseconds(2001); }, Kind::kNotYet,
       "its p99 is 2.001 ms, may be 2 ms"},
      {"both",
       [](PolicyTally& t) {
         t.regret = 0.1;
         t.p99 = microseconds(9000);
       },
       Kind::kNotYet, "regret is 10%, may be 0.5%; its p99 is 9 ms"},
  };
  for (const Case& c : cases) Judge(c);
}

TEST(RolloutVerdict, RollsBackWhatDoesHarm) {
  const Case cases[] = {
      {"one score not finite", [](PolicyTally& t) { t.recent = {.decisions = 1, .not_finite = 1}; },
       Kind::kRollBack, "b 2: 1 of the last 1 answers had a score that is not finite"},
      {"failures, at the limit", [](PolicyTally& t) { t.recent.failed = 10; }, Kind::kPromote, ""},
      {"failures, above", [](PolicyTally& t) { t.recent.failed = 11; }, Kind::kRollBack,
       "11 of the last 200 answers failed or were late"},
      {"too few answers to tell",
       [](PolicyTally& t) { t.recent = {.decisions = 49, .failed = 49}; }, Kind::kPromote, ""},
      {"just enough to tell", [](PolicyTally& t) { t.recent = {.decisions = 50, .failed = 3}; },
       Kind::kRollBack, "3 of the last 50"},
      {"guards, at the limit", [](PolicyTally& t) { t.recent.guarded = 40; }, Kind::kPromote, ""},
      {"guards, above", [](PolicyTally& t) { t.recent.guarded = 41; }, Kind::kRollBack,
       "41 of the last 200 answers were taken away from it by a guard"},
      {"pods that come back, at the limit", [](PolicyTally& t) { t.recent.asked_again = 40; },
       Kind::kPromote, ""},
      {"pods that come back, above", [](PolicyTally& t) { t.recent.asked_again = 41; },
       Kind::kRollBack, "41 of the last 200 answers did not get the pod bound"},
  };
  for (const Case& c : cases) Judge(c);
}

TEST(RolloutVerdict, PodsThatComeBackToTheActivePolicyAsWellAreNotTheCanarysFault) {
  std::vector<PolicyTally> tallies = GoodTallies();
  tallies[0].recent.asked_again = 60;
  tallies[1].recent.asked_again = 120;
  EXPECT_EQ(JudgeRollout(WithConditions(), tallies).kind, Kind::kPromote);
  tallies[1].recent.asked_again = 121;
  EXPECT_EQ(JudgeRollout(WithConditions(), tallies).kind, Kind::kRollBack);
}

TEST(RolloutVerdict, TheActivePolicyIsJudgedWhereThereIsOneToGoBackTo) {
  RolloutPlan plan{.active = "a", .previous = "z"};
  std::vector<PolicyTally> tallies = GoodTallies();
  tallies.pop_back();
  EXPECT_EQ(JudgeRollout(plan, tallies).kind, Kind::kNothing);
  tallies[0].recent.failed = 100;
  EXPECT_EQ(JudgeRollout(plan, tallies).cause, "failed");
  plan.previous.clear();
  EXPECT_EQ(JudgeRollout(plan, tallies).kind, Kind::kNothing) << "whatever it does";
}

TEST(RolloutVerdict, WithoutConditionsOrNumbersACanaryStaysOne) {
  RolloutPlan plan = WithConditions();
  EXPECT_EQ(JudgeRollout(plan, {}).kind, Kind::kNothing);
  plan.promote.reset();
  EXPECT_EQ(JudgeRollout(plan, GoodTallies()).kind, Kind::kNothing);
  plan.promote = PromotionPlan{.decisions = 1000};
  std::vector<PolicyTally> tallies = GoodTallies();
  tallies[1].regret = 5;
  EXPECT_EQ(JudgeRollout(plan, tallies).kind, Kind::kPromote) << "nobody asked about regret";
}

}  // namespace
}  // namespace berth
