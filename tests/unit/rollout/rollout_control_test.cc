#include "rollout/rollout_control.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "rollout/plan_changes.h"
#include "support/captured_log.h"
#include "support/temp_directory.h"

namespace berth {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

TEST(PlanChanges, LeadFromOnePolicyToAnother) {
  RolloutPlan plan{.active = "a", .shadow = "b"};
  plan = WithCanary(plan, {"b", {.percent = 10}}, PromotionPlan{.decisions = 5});
  plan = Promoted(plan).value();
  EXPECT_EQ(plan, (RolloutPlan{.active = "b", .previous = "a"})) << "shadow and canary are done";
  plan = RolledBack(plan).value();
  EXPECT_EQ(plan, RolloutPlan{.active = "a"});
  EXPECT_EQ(WithShadow(WithShadow(plan, "c"), ""), plan);
}

TEST(PlanChanges, PromotingAnotherPolicyLeavesTheCanaryAlone) {
  const RolloutPlan plan = WithCanary({.active = "a"}, {"b", {.percent = 10}}, {});
  const RolloutPlan after = Promoted(plan, "c").value();
  EXPECT_EQ(after.active, "c");
  EXPECT_EQ(after.previous, "a");
  EXPECT_EQ(after.canary, plan.canary);
}

TEST(PlanChanges, RollingBackWithdrawsTheCanaryFirst) {
  const RolloutPlan plan = WithCanary({.active = "b", .previous = "a"}, {"c", {.percent = 10}},
                                      PromotionPlan{5, {}, {}});
  const RolloutPlan once = RolledBack(plan).value();
  EXPECT_EQ(once, (RolloutPlan{.active = "b", .previous = "a"}));
  EXPECT_EQ(RolledBack(once).value(), RolloutPlan{.active = "a"});
}

TEST(PlanChanges, SayWhatIsMissing) {
  EXPECT_THAT(Promoted({.active = "a"}).status().ToString(), HasSubstr("there is no canary"));
  EXPECT_THAT(Promoted({.active = "a"}, "a").status().ToString(), HasSubstr("a is active already"));
  EXPECT_THAT(RolledBack({.active = "a"}).status().ToString(),
              HasSubstr("neither a canary nor a previous policy"));
}

class RolloutControlTest : public testing::Test {
 protected:
  static Result<RolloutPlan> ShadowB(RolloutPlan plan) { return WithShadow(std::move(plan), "b"); }

  const TempDirectory folder_;
  CapturedLog log_;
  RolloutControl control_{folder_.path(), log_.logger()};
};

TEST_F(RolloutControlTest, WritesThePlanAndALineWhoWhenFromToWhy) {
  folder_.Write("rollout.yaml", "active: a\n");
  const auto plan = control_.Change({"ann", "to compare"}, ShadowB);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(control_.Plan().value(), (RolloutPlan{.active = "a", .shadow = "b"}));
  EXPECT_THAT(log_.text(),
              HasSubstr("msg=\"rollout changed\" who=\"ann\" why=\"to compare\" from=\"active: a\" "
                        "to=\"active: a\\nshadow: b\""));
}

TEST_F(RolloutControlTest, AFrozenPlanIsLeftAlone) {
  folder_.Write("rollout.yaml", "active: a\nfrozen: true\n");
  const auto plan = control_.Change({"ann", "to compare"}, ShadowB);
  EXPECT_EQ(plan.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(plan.status().ToString(), HasSubstr("rollout.yaml: is frozen"));
}

TEST_F(RolloutControlTest, AStepThatCannotBeTakenWritesNothing) {
  folder_.Write("rollout.yaml", "active: a  # on Monday\n");
  const auto plan =
      control_.Change({"ann", "oops"}, [](RolloutPlan before) { return RolledBack(before); });
  EXPECT_EQ(plan.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(folder_.Read("rollout.yaml"), "active: a  # on Monday\n");
}

TEST_F(RolloutControlTest, WhatIsMountedIsToldInsteadOfWritten) {
  fs::create_directories(folder_.path() / "..2026_a");
  folder_.Write("..2026_a/rollout.yaml", "active: a\n");
  fs::create_directory_symlink("..2026_a", folder_.path() / "..data");
  fs::create_symlink("..data/rollout.yaml", folder_.path() / "rollout.yaml");
  const auto plan = control_.Change({"ann", "to compare"}, ShadowB);
  EXPECT_EQ(plan.status().code(), absl::StatusCode::kPermissionDenied);
  EXPECT_THAT(plan.status().ToString(), HasSubstr("active: a\nshadow: b\n"));
  EXPECT_EQ(control_.Plan().value(), RolloutPlan{.active = "a"});
}

TEST_F(RolloutControlTest, NamesAFileThatCannotBeRead) {
  EXPECT_THAT(control_.Plan().status().ToString(), HasSubstr("rollout.yaml"));
  folder_.Write("rollout.yaml", "[");
  EXPECT_THAT(control_.Change({"ann", "x"}, ShadowB).status().ToString(),
              HasSubstr("rollout.yaml: line"));
}

}  // namespace
}  // namespace berth
