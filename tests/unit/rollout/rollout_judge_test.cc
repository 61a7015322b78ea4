#include "rollout/rollout_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "support/captured_log.h"
#include "support/fake_scorer.h"
#include "support/served.h"
#include "support/temp_directory.h"

namespace berth {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

// Policies are built-in ones that answer by the name they are asked for; what they have done is
// what the test says.
class RolloutJudgeTest : public testing::Test {
 protected:
  RolloutJudgeTest() { Start(); }

  // As a program that has just been started.
  void Start() {
    slot_.emplace(RoutesTo(ConstantScorer("fallback", 0)));
    follower_.emplace(
        folder_.path(),
        [](const std::string& name) -> Result<ServedPolicy> {
          return ServedPolicy{ConstantScorer(name, 1), ""};
        },
        *slot_, metrics_, log_.logger());
  }

  void Write(const std::string& plan) { folder_.Write("rollout.yaml", plan); }
  std::string File() const { return folder_.Read("rollout.yaml"); }

  // As the following thread does it, once a second.
  void Look(int seconds = 4) {
    for (int i = 0; i < seconds; ++i) {
      follower_->Look();
      judge_.Look(*follower_);
    }
  }

  std::string Active() const { return std::string(slot_->Get()->active->name()); }
  std::string Canary() const {
    const PolicyRoutesPtr routes = slot_->Get();
    return routes->canary ? std::string(routes->canary->policy->name()) : "";
  }
  bool Has(const std::string& metric) const {
    return metrics_.Text().find(metric + "\n") != std::string::npos;
  }

  // Numbers are of whoever has the role, as those of a RolloutWatch.
  std::vector<PolicyTally> Tallies() const {
    const PolicyRoutesPtr routes = slot_->Get();
    std::vector<PolicyTally> tallies;
    const auto add = [&](PolicyRole role, const ServedPolicyPtr& policy) {
      PolicyTally tally = policy->name() == bad_ ? harm_ : PolicyTally{.decisions = 1000};
      tally.role = role;
      tally.policy = TextOf(*policy);
      tallies.push_back(tally);
    };
    add(PolicyRole::kActive, routes->active);
    if (routes->canary) add(PolicyRole::kCanary, routes->canary->policy);
    return tallies;
  }

  const TempDirectory folder_;
  Metrics metrics_;
  CapturedLog log_;
  std::string bad_;  // the policy that does harm
  PolicyTally harm_{.recent = {.decisions = 100, .failed = 50}};
  std::optional<PolicySlot> slot_;
  std::optional<PolicyFollower> follower_;
  RolloutControl control_{folder_.path(), log_.logger()};
  RolloutJudge judge_{control_, [this] { return Tallies(); }, metrics_, log_.logger()};
};

constexpr char kCanary[] = "active: a\ncanary:\n  policy: b\n  percent: 10\n";

TEST_F(RolloutJudgeTest, PromotesTheCanaryWhenThePlanSaysSo) {
  Write(std::string(kCanary) + "promote:\n  decisions: 1000\n");
  Look();
  EXPECT_EQ(File(), "active: b\nprevious: a\n");
  Look();
  EXPECT_EQ(Active(), "b");
  EXPECT_EQ(Canary(), "");
  EXPECT_TRUE(Has("berth_policy_promotions_total 1"));
  EXPECT_THAT(log_.text(), HasSubstr("msg=\"rollout changed\" who=\"berth\""));
}

TEST_F(RolloutJudgeTest, TellsOnceWhatACanaryLacks) {
  bad_ = "b";
  harm_ = {.decisions = 1000, .regret = 0.3};
  Write(std::string(kCanary) + "promote:\n  decisions: 1000\n  max_regret: 1%\n");
  Look(20);
  EXPECT_EQ(Canary(), "b");
  const auto lines = log_.Lines();
  EXPECT_EQ(std::ranges::count_if(lines,
                                  [](const std::string& line) {
                                    return line.find("regret is 30%, may be 1%") !=
                                           std::string::npos;
                                  }),
            1)
      << log_.text();
}

TEST_F(RolloutJudgeTest, WithdrawsACanaryThatDoesHarmAndDoesNotFlap) {
  bad_ = "b";
  Write(kCanary);
  Look(50);
  EXPECT_EQ(File(), "active: a\n");
  EXPECT_EQ(Active(), "a");
  EXPECT_EQ(Canary(), "");
  EXPECT_TRUE(Has("berth_policy_rollbacks_total{cause=\"failed\"} 1"));
  EXPECT_TRUE(Has("berth_policy_rollbacks_total{cause=\"guarded\"} 0"));
  Start();
  Look(50);
  EXPECT_EQ(Active(), "a") << "after a restart";
}

TEST_F(RolloutJudgeTest, GoesBackToThePreviousPolicyOnce) {
  bad_ = "b";
  Write("active: b\nprevious: a\n");
  Look(50);
  EXPECT_EQ(File(), "active: a\n");
  EXPECT_EQ(Active(), "a");
  bad_ = "a";
  Look(50);
  EXPECT_EQ(Active(), "a") << "there is nothing to go back to";
  EXPECT_TRUE(Has("berth_policy_rollbacks_total{cause=\"failed\"} 1"));
}

TEST_F(RolloutJudgeTest, WhereTheFileIsMountedItHoldsBackInMemoryUntilTheFileIsEdited) {
  const auto mount = [&](const std::string& name, const std::string& plan) {
    fs::create_directories(folder_.path() / name);
    folder_.Write(name + "/rollout.yaml", plan);
    fs::remove(folder_.path() / "..data");
    fs::create_directory_symlink(name, folder_.path() / "..data");
  };
  bad_ = "b";
  mount("..1", "active: b\nprevious: a\n");
  Look(50);
  EXPECT_EQ(Active(), "a");
  EXPECT_TRUE(Has("berth_policy_rollback_held 1"));
  EXPECT_TRUE(Has("berth_policy_rollbacks_total{cause=\"failed\"} 1"));
  EXPECT_THAT(log_.text(), HasSubstr("held back in memory, until rollout.yaml is edited"));
  EXPECT_THAT(log_.text(), HasSubstr("put this there yourself:\\nactive: a"));

  bad_.clear();
  mount("..2", "active: b  # mended\n");
  Look();
  EXPECT_EQ(Active(), "b") << "whoever edits it decides anew";
  EXPECT_TRUE(Has("berth_policy_rollback_held 0"));
}

TEST_F(RolloutJudgeTest, AFrozenPlanIsNotChangedButHarmIsHeldBack) {
  bad_ = "b";
  const std::string plan = std::string(kCanary) + "promote: {decisions: 5}\nfrozen: true\n";
  Write(plan);
  Look(50);
  EXPECT_EQ(File(), plan);
  EXPECT_EQ(Canary(), "");
  EXPECT_EQ(Active(), "a");
  EXPECT_TRUE(Has("berth_policy_rollback_held 1"));
}

TEST_F(RolloutJudgeTest, AFrozenCanaryIsNotPromoted) {
  Write(std::string(kCanary) + "promote: {decisions: 5}\nfrozen: true\n");
  Look(50);
  EXPECT_EQ(Canary(), "b");
  EXPECT_EQ(Active(), "a");
}

TEST_F(RolloutJudgeTest, WhatIsHeldBackInMemoryMayBeFollowedByAnother) {
  bad_ = "b";
  Write("active: c\nprevious: a\ncanary: {policy: b, percent: 5}\nfrozen: true\n");
  Look(20);
  ASSERT_EQ(Canary(), "");
  ASSERT_EQ(Active(), "c");
  bad_ = "c";
  Look(20);
  EXPECT_EQ(Active(), "a");
}

}  // namespace
}  // namespace berth
