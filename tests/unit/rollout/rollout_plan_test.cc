#include "rollout/rollout_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace berth {
namespace {

using ::testing::HasSubstr;

TEST(RolloutPlan, NamesThePolicyInCharge) {
  for (const char* yaml : {"active: berth", "active: berth\n", "# Monday\nactive: \"berth\"  # ok",
                           "{active: berth}", "{\"active\": \"berth\"}", "active: berth\r\n",
                           "\xEF\xBB\xBF"
                           "active: berth"}) {
    const auto plan = ParseRolloutPlan(yaml);
    ASSERT_TRUE(plan.ok()) << yaml << ": " << plan.status();
    EXPECT_EQ(plan->active, "berth") << yaml;
  }
  EXPECT_EQ(ParseRolloutPlan("active: my_policy-2.1")->active, "my_policy-2.1");
}

TEST(RolloutPlan, SaysWhoElseIsAskedAndForWhom) {
  const auto plan = ParseRolloutPlan(R"(
active: fgd-bestfit
previous: fgd
shadow: berth
canary:
  policy: berth-3
  percent: 10
  namespaces: [research, batch]
  pools: [a100]
promote:
  decisions: 1000
  max_regret: 0.5%
  max_p99: 2.5ms
frozen: yes
)");
  ASSERT_TRUE(plan.ok()) << plan.status();
  const RolloutPlan want{.active = "fgd-bestfit",
                         .previous = "fgd",
                         .shadow = "berth",
                         .canary = CanaryPlan{"berth-3", {10, {"research", "batch"}, {"a100"}}},
                         .promote = PromotionPlan{1000, 0.005, std::chrono::microseconds(2500)},
                         .frozen = true};
  EXPECT_EQ(*plan, want);
}

TEST(RolloutPlan, IsReadAsItWasWritten) {
  RolloutPlan plan{.active = "a"};
  EXPECT_EQ(RolloutYaml(plan), "active: a\n");
  for (const auto& change : std::vector<std::function<void()>>{
           [&] { plan.previous = "b"; }, [&] { plan.shadow = "c"; },
           [&] {
             plan.canary = CanaryPlan{"d", {.percent = 10}};
           },
           [&] {
             plan.canary->rule = {1, {"x", "y"}, {"z"}};
           },
           [&] { plan.promote = PromotionPlan{.decisions = 7}; },
           [&] { plan.promote->max_regret = 0.0025; },
           [&] { plan.promote->max_p99 = std::chrono::microseconds(1500); },
           [&] { plan.frozen = true; }}) {
    change();
    const auto read = ParseRolloutPlan(RolloutYaml(plan));
    ASSERT_TRUE(read.ok()) << RolloutYaml(plan) << read.status();
    EXPECT_EQ(*read, plan) << RolloutYaml(plan);
  }
}

TEST(RolloutPlan, RefusesAllElseAndSaysWhere) {
  struct Case {
    const char* yaml;
    const char* want;
  };
  const std::string deep(100'000, '[');
  const Case cases[] = {
      {"", "must have a line such as `active: berth`"},
      {"berth", "must have a line such as"},
      {"[active]", "must have a line such as"},
      {"{}", "active: is missing"},
      {"\nactiv: berth",
       "line 2: \"activ\" is not a key of a rollout; there is active, canary, frozen"},
      {"active: berth\nshadows: x", "line 2: \"shadows\" is not a key"},
      {"active: a\nshadow: ../a", "line 2: shadow: must name a directory"},
      {"active: a\nprevious: [b]", "line 2: previous: must name a directory"},
      {"active: a\nfrozen: maybe", "line 2: frozen: must be true or false"},
      {"active: a\ncanary: b", "line 2: canary: must have lines such as `policy: berth`"},
      {"active: a\ncanary:\n  percent: 5", "line 3: canary.policy: is missing"},
      {"active: a\ncanary:\n  policy: b", "line 3: canary: must say for whom"},
      {"active: a\ncanary: {policy: b, percent: 0}",
       "canary.percent: must be a whole number from 1"},
      {"active: a\ncanary: {policy: b, percent: 101}", "must be a whole number from 1 to 100"},
      {"active: a\ncanary: {policy: b, percent: 2.5}", "canary.percent: must be a whole number"},
      {"active: a\ncanary: {policy: b, percent: 5, percent: 5}", "canary.percent: is there twice"},
      {"active: a\ncanary: {policy: b, share: 5}",
       "\"canary.share\" is not a key; there is namespaces, percent, policy, pools"},
      {"active: a\ncanary: {policy: b, namespaces: x}",
       "canary.namespaces: must be a list of names"},
      {"active: a\ncanary: {policy: b, pools: []}", "canary.pools: must be a list of names"},
      {"active: a\ncanary: {policy: b, pools: [/]}", "canary.pools: must be a list of names"},
      {"active: a\npromote: {decisions: 5}", "line 2: promote: needs a canary"},
      {"active: a\ncanary: {policy: b, percent: 5}\npromote: 5",
       "line 3: promote: must have lines"},
      {"active: a\ncanary: {policy: b, percent: 5}\npromote: {max_p99: 2ms}",
       "promote.decisions: is missing"},
      {"active: a\ncanary: {policy: b, percent: 5}\npromote: {decisions: 0}",
       "promote.decisions: must be a whole number from 1"},
      {"active: a\ncanary: {policy: b, percent: 5}\npromote: {decisions: 5, max_regret: 0.5}",
       "promote.max_regret: must be a number from 0.001 on with its unit, such as 0.5%"},
      {"active: a\ncanary: {policy: b, percent: 5}\npromote: {decisions: 5, max_p99: 2s}",
       "promote.max_p99: must be a number from 0.001 on with its unit, such as 2ms"},
      {"active: a\ncanary: {policy: b, percent: 5}\npromote: {decisions: 5, max_p99: -2ms}",
       "promote.max_p99: must be"},
      {"active: a\nactive: b", "line 2: active: is there twice"},
      {"active:", "line 1: active: must name a directory beside rollout.yaml"},
      {"active: [a]", "line 1: active: must name"},
      {"active: ../etc", "active: must name"},
      {"active: /etc", "active: must name"},
      {"active: .hidden", "active: must name"},
      {"active: \"a\\nb\"", "active: must name"},
      {"active: \"unfinished", "line 1: is no YAML"},
      {"active: *nobody", "is no YAML"},
      {deep.c_str(), "is no YAML"},
  };
  for (const Case& c : cases) {
    const auto plan = ParseRolloutPlan(c.yaml);
    EXPECT_EQ(plan.status().code(), absl::StatusCode::kInvalidArgument) << c.want;
    EXPECT_THAT(std::string(plan.status().message()), HasSubstr(c.want));
  }
}

}  // namespace
}  // namespace berth
