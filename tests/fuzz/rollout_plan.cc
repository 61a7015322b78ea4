// Text -> plan of a rollout. What is read can be written, and what is written reads as the same.

#include "rollout/rollout_plan.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "property.h"

namespace berth {
namespace {

void CheckNames(const RolloutPlan& plan) {
  BERTH_CHECK(IsPlanName(plan.active), "somebody is active");
  BERTH_CHECK(plan.previous.empty() || IsPlanName(plan.previous), "names lead nowhere else");
  BERTH_CHECK(plan.shadow.empty() || IsPlanName(plan.shadow), "names lead nowhere else");
  if (!plan.canary) return;
  BERTH_CHECK(IsPlanName(plan.canary->policy), "names lead nowhere else");
  BERTH_CHECK(!(plan.canary->rule == CanaryRule()), "a canary answers for somebody");
}

void Check(const std::string& text) {
  const Result<RolloutPlan> plan = ParseRolloutPlan(text);
  if (!plan.ok()) {
    BERTH_CHECK(!plan.status().message().empty(), "it says why");
    return;
  }
  CheckNames(*plan);
  BERTH_CHECK(!plan->promote || plan->canary, "there is something to promote");
  const std::string written = RolloutYaml(*plan);
  Result<RolloutPlan> again = ParseRolloutPlan(written);
  BERTH_CHECK(again.ok(), "what was read can be written");
  BERTH_CHECK(RolloutYaml(*again) == written, "written out it reads the same");
  if (again->promote && plan->promote) again->promote = plan->promote;  // but for its digits
  BERTH_CHECK(*again == *plan, "written out it reads the same");
}

}  // namespace
}  // namespace berth

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  berth::Check(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
