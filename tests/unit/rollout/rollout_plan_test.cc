#include "rollout/rollout_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
      {"\nactiv: berth", "line 2: \"activ\" is not a key of a rollout; there is active"},
      {"active: berth\nshadow: x", "line 2: \"shadow\" is not a key"},
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
