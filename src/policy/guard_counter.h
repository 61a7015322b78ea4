#pragma once

#include <string_view>

#include "base/metrics.h"
#include "berth/policy.h"

namespace berth {

// berth_policy_fallbacks_total{policy,cause}: how often the guard made another answer for `policy`.
// REQUIRES: not kNone.
Counter& AddGuardCounter(Metrics& metrics, std::string_view policy, Guard guard);

}  // namespace berth
