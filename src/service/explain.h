#pragma once

#include <span>
#include <string_view>

#include "berth/policy.h"
#include "rpc/explanation.h"

namespace berth {

// What Berth thinks of a pod on the named nodes, or on every node of the view when none is named.
// Unlike a filter for kube-scheduler it counts everything: CPU and memory included.
// Errors: the policy's.
Result<Explanation> ExplainDemand(const ClusterViewPtr& view, const Scorer& policy,
                                  const Demand& demand, std::span<const std::string_view> names,
                                  Clock::TimePoint deadline);

}  // namespace berth
