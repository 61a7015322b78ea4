#pragma once

#include <string>
#include <string_view>

#include "berth/result.h"

namespace berth {

// The file beside the policies that says which of them is wanted.
inline constexpr char kRolloutFile[] = "rollout.yaml";

// What rollout.yaml says:
//
//   active: berth    # a directory beside the file, or the name of a built-in policy
struct RolloutPlan {
  std::string active;

  bool operator==(const RolloutPlan&) const = default;
};

// Every key is required, and no other is allowed: a plan that is read in part would be another
// plan. Errors: INVALID_ARGUMENT that names the line or key, and what would be right.
Result<RolloutPlan> ParseRolloutPlan(std::string_view yaml);

}  // namespace berth
