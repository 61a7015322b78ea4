#include "service/rollout_convert.h"

#include <algorithm>
#include <limits>

namespace berth {

v1::PolicyRole ToProto(PolicyRole role) {
  switch (role) {
    case PolicyRole::kActive:
      return v1::POLICY_ROLE_ACTIVE;
    case PolicyRole::kCanary:
      return v1::POLICY_ROLE_CANARY;
    case PolicyRole::kShadow:
      return v1::POLICY_ROLE_SHADOW;
  }
  return v1::POLICY_ROLE_UNSPECIFIED;
}

v1::Rollout ToProto(const RolloutPlan& plan) {
  v1::Rollout proto;
  proto.set_active(plan.active);
  proto.set_previous(plan.previous);
  proto.set_shadow(plan.shadow);
  if (plan.canary) {
    const CanaryRule& rule = plan.canary->rule;
    v1::Canary& canary = *proto.mutable_canary();
    canary.set_policy(plan.canary->policy);
    canary.set_percent(static_cast<uint32_t>(rule.percent));
    canary.mutable_namespaces()->Add(rule.namespaces.begin(), rule.namespaces.end());
    canary.mutable_pools()->Add(rule.pools.begin(), rule.pools.end());
  }
  if (plan.promote) {
    v1::Promotion& promote = *proto.mutable_promote();
    promote.set_decisions(plan.promote->decisions);
    if (plan.promote->max_regret) promote.set_max_regret(*plan.promote->max_regret);
    if (plan.promote->max_p99) promote.set_max_p99_us(plan.promote->max_p99->count());
  }
  proto.set_frozen(plan.frozen);
  return proto;
}

v1::PolicyRecord ToProto(const PolicyTally& tally) {
  v1::PolicyRecord proto;
  proto.set_decisions(tally.decisions);
  proto.set_differ(tally.differ);
  proto.set_regret(tally.regret);
  proto.set_p50_ns(tally.p50.count());
  proto.set_p99_ns(tally.p99.count());
  proto.set_guarded(tally.guarded);
  proto.set_asked_again(tally.asked_again);
  return proto;
}

CanaryPlan FromProto(const v1::Canary& proto) {
  CanaryPlan canary;
  canary.policy = proto.policy();
  canary.rule.percent =
      static_cast<int>(std::min<uint32_t>(proto.percent(), std::numeric_limits<int>::max()));
  canary.rule.namespaces = {proto.namespaces().begin(), proto.namespaces().end()};
  canary.rule.pools = {proto.pools().begin(), proto.pools().end()};
  return canary;
}

PromotionPlan FromProto(const v1::Promotion& proto) {
  PromotionPlan promote;
  promote.decisions = proto.decisions();
  if (proto.has_max_regret()) promote.max_regret = proto.max_regret();
  if (proto.has_max_p99_us()) promote.max_p99 = std::chrono::microseconds(proto.max_p99_us());
  return promote;
}

}  // namespace berth
