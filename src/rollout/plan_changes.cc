#include "rollout/plan_changes.h"

#include <utility>

namespace berth {
namespace {

void WithdrawCanary(RolloutPlan& plan) {
  plan.canary.reset();
  plan.promote.reset();
}

}  // namespace

Result<RolloutPlan> Promoted(RolloutPlan plan, const std::string& policy) {
  if (policy.empty() && !plan.canary) {
    return absl::FailedPreconditionError("there is no canary: name the policy to promote");
  }
  const std::string next = policy.empty() ? plan.canary->policy : policy;
  if (next == plan.active) {
    return absl::FailedPreconditionError(next + " is active already");
  }
  if (plan.canary && plan.canary->policy == next) WithdrawCanary(plan);
  if (plan.shadow == next) plan.shadow.clear();
  plan.previous = std::exchange(plan.active, next);
  return plan;
}

Result<RolloutPlan> RolledBack(RolloutPlan plan) {
  if (plan.canary) {
    WithdrawCanary(plan);
    return plan;
  }
  if (plan.previous.empty()) {
    return absl::FailedPreconditionError("there is neither a canary nor a previous policy");
  }
  plan.active = std::exchange(plan.previous, "");
  return plan;
}

RolloutPlan WithShadow(RolloutPlan plan, const std::string& policy) {
  plan.shadow = policy;
  return plan;
}

RolloutPlan WithCanary(RolloutPlan plan, CanaryPlan canary, std::optional<PromotionPlan> promote) {
  plan.canary = std::move(canary);
  plan.promote = promote;
  return plan;
}

}  // namespace berth
