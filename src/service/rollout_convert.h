#pragma once

#include "berth/v1/policies.pb.h"
#include "rollout/policy_tally.h"
#include "rollout/rollout_plan.h"

namespace berth {

v1::Rollout ToProto(const RolloutPlan& plan);
v1::PolicyRecord ToProto(const PolicyTally& tally);
v1::PolicyRole ToProto(PolicyRole role);

// As it is told: RolloutControl refuses what no plan can hold.
CanaryPlan FromProto(const v1::Canary& canary);
PromotionPlan FromProto(const v1::Promotion& promote);

}  // namespace berth
