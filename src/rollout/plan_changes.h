#pragma once

#include <optional>
#include <string>

#include "berth/result.h"
#include "rollout/rollout_plan.h"

namespace berth {

// Steps of a rollout: from one plan to the next. Pure; whether the policies that they name are any
// good is seen when the plan is taken up. Errors: FAILED_PRECONDITION that says what is missing.

// The policy answers for all; whoever did so becomes the previous one. An empty name: the canary.
Result<RolloutPlan> Promoted(RolloutPlan plan, const std::string& policy = "");

// The canary is withdrawn; without one, the previous policy answers again, and there is no previous
// one any more: who rolls back twice does not come back to what was bad.
Result<RolloutPlan> RolledBack(RolloutPlan plan);

// An empty name: no shadow.
RolloutPlan WithShadow(RolloutPlan plan, const std::string& policy);

// Without conditions it stays a canary until it is promoted by hand.
RolloutPlan WithCanary(RolloutPlan plan, CanaryPlan canary, std::optional<PromotionPlan> promote);

}  // namespace berth
