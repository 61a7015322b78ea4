#include "rollout/rollout_control.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "rollout/audit_log.h"
#include "rollout/plan_changes.h"
#include "support/captured_log.h"
#include "support/fake_wall_clock.h"
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

RolloutControl::Audit Appending(const AuditLog& audit) {
  return [&audit](const RolloutControl::Author& author, const RolloutControl::Proposal& change) {
    return audit.Append(author, change);
  };
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
  EXPECT_THAT(
      log_.text(),
      HasSubstr(
          "msg=\"rollout changed\" who=\"ann\" peer=\"\" why=\"to compare\" from=\"active: a\" "
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

TEST_F(RolloutControlTest, APlanThatTheFileCannotHoldIsRefused) {
  folder_.Write("rollout.yaml", "active: a\n");
  const auto canary = [](CanaryPlan canary, std::optional<PromotionPlan> promote = {}) {
    return [=](RolloutPlan plan) -> Result<RolloutPlan> {
      return WithCanary(std::move(plan), canary, promote);
    };
  };
  const struct {
    RolloutControl::Step step;
    const char* message;
  } cases[] = {
      {canary({"b", {.percent = 101}}), "canary.percent: must be a whole number from 1 to 100"},
      {canary({"b", {.percent = -1}}), "canary: must say for whom"},
      {canary({"b", {}}), "canary: must say for whom"},
      {canary({"", {.percent = 1}}), "canary.policy: must name"},
      {canary({"b", {.namespaces = {"a, c"}}}), "names are of letters"},
      {canary({"b", {.namespaces = {"a]\nfrozen: true #"}}}), "names are of letters"},
      {canary({"b", {.namespaces = std::vector<std::string>(20'000, "abc")}}), "name fewer"},
      {canary({"b", {.percent = 1}}, PromotionPlan{}), "promote.decisions: must be"},
      {canary({"b", {.percent = 1}}, PromotionPlan{.decisions = 1, .max_regret = -1}),
       "promote.max_regret: must be"},
      {[](RolloutPlan plan) { return WithShadow(std::move(plan), "b\nfrozen: true"); },
       "names are of letters"},
  };
  for (const auto& [step, message] : cases) {
    const auto plan = control_.Change({"ann", "oops"}, step);
    EXPECT_EQ(plan.status().code(), absl::StatusCode::kInvalidArgument) << message;
    EXPECT_THAT(plan.status().ToString(), HasSubstr(message));
  }
  EXPECT_EQ(folder_.Read("rollout.yaml"), "active: a\n");
}

TEST_F(RolloutControlTest, DigitsThatTheFileDoesNotHoldAreNoMatter) {
  folder_.Write("rollout.yaml", "active: a\n");
  const auto plan = control_.Change({"ann", "x"}, [](RolloutPlan before) -> Result<RolloutPlan> {
    return WithCanary(std::move(before), {"b", {.percent = 1}},
                      PromotionPlan{.decisions = 1, .max_regret = 0.001234567891, .max_p99 = {}});
  });
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_THAT(folder_.Read("rollout.yaml"), HasSubstr("max_regret: 0.123457%"));
}

TEST_F(RolloutControlTest, AppendsToTheAuditLogWhatWasChanged) {
  folder_.Write("rollout.yaml", "active: a\n");
  const FakeWallClock wall_clock;
  const AuditLog audit(folder_.path() / "audit.jsonl", wall_clock);
  RolloutControl control(folder_.path(), log_.logger(), Appending(audit));
  ASSERT_TRUE(control.Change({"ann", "to \"compare\"", "ipv4:10.0.0.7:4"}, ShadowB).ok());
  EXPECT_FALSE(control.Change({"ann", "oops"}, RolledBack).ok()) << "what was not changed";
  ASSERT_TRUE(control.Change({"berth", "by itself"}, ShadowB).ok());
  EXPECT_EQ(folder_.Read("audit.jsonl"),
            R"({"time":"2026-03-01T12:00:00Z","who":"ann","peer":"ipv4:10.0.0.7:4",)"
            R"("why":"to \"compare\"","from":"active: a\n","to":"active: a\nshadow: b\n"})"
            "\n"
            R"({"time":"2026-03-01T12:00:00Z","who":"berth","peer":"","why":"by itself",)"
            R"("from":"active: a\nshadow: b\n","to":"active: a\nshadow: b\n"})"
            "\n");
}

TEST_F(RolloutControlTest, WhatCannotBeAuditedIsNotChanged) {
  folder_.Write("rollout.yaml", "active: a\n");
  const FakeWallClock wall_clock;
  const AuditLog audit("/dev/full", wall_clock);
  RolloutControl control(folder_.path(), log_.logger(), Appending(audit));
  const auto plan = control.Change({"ann", "to compare"}, ShadowB);
  EXPECT_EQ(plan.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(plan.status().ToString(),
              HasSubstr("the audit log /dev/full: cannot be written: No space left on device"));
  EXPECT_EQ(folder_.Read("rollout.yaml"), "active: a\n");
  EXPECT_FALSE(fs::exists(folder_.path() / "rollout.yaml.new"));
  EXPECT_THAT(log_.text(), HasSubstr("warning msg=\"rollout not changed, because"));
}

TEST_F(RolloutControlTest, NamesAFileThatCannotBeRead) {
  EXPECT_THAT(control_.Plan().status().ToString(), HasSubstr("rollout.yaml"));
  folder_.Write("rollout.yaml", "[");
  EXPECT_THAT(control_.Change({"ann", "x"}, ShadowB).status().ToString(),
              HasSubstr("rollout.yaml: line"));
}

}  // namespace
}  // namespace berth
