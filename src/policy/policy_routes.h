#pragma once

#include <memory>
#include <optional>
#include <span>

#include "policy/canary_rule.h"
#include "policy/served_policy.h"

namespace berth {

// Which policy answers whom, at one moment.
struct PolicyRoutes {
  struct Canary {
    ServedPolicyPtr policy;  // never null
    CanaryRule rule;

    bool operator==(const Canary&) const = default;
  };

  ServedPolicyPtr active;  // never null
  std::optional<Canary> canary;
  ServedPolicyPtr shadow;  // is asked beside those who answer; null: none

  const ServedPolicyPtr& For(const DecidedPod& pod, std::span<const Node* const> candidates) const {
    return canary && canary->rule.Takes(pod, candidates) ? canary->policy : active;
  }

  bool operator==(const PolicyRoutes&) const = default;
};

using PolicyRoutesPtr = std::shared_ptr<const PolicyRoutes>;

}  // namespace berth
