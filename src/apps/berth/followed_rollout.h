#pragma once

#include <filesystem>
#include <string>

#include "base/log.h"
#include "berth/wall_clock.h"
#include "rollout/audit_log.h"
#include "rollout/following_thread.h"
#include "rollout/rollout_control.h"
#include "service/policy_admin.h"
#include "torch/policy_probation.h"

namespace berth {

// The rollout of `berth serve --policies`: followed, looked at and changed.
struct FollowedRollout {
  // Looks until what lies there ready is in charge. Without a name there is no audit log. All
  // references outlive this.
  FollowedRollout(const std::filesystem::path& folder, const std::string& audit_log,
                  PolicyFollower follower, PolicyProbation& probation, const WallClock& wall_clock,
                  Logger& log);

  AuditLog audit;
  RolloutControl control;
  FollowingThread following;
  PolicyAdmin admin;
};

// What may be wrong with the options themselves, which no later look mends: there is no
// rollout.yaml in the folder, or the audit log cannot be written. Errors name the option.
Status CheckRolloutOptions(const std::filesystem::path& folder, const std::string& audit_log,
                           const WallClock& wall_clock);

// Whether the policy of that name, a directory of the folder or built in, may serve. Blocks while
// it is probed. Errors: NOT_FOUND, or why it is refused. REQUIRES: IsPlanName(name).
Result<CheckedPolicy> CheckPolicyOf(const std::filesystem::path& folder, const std::string& name,
                                    PolicyProbation& probation);

}  // namespace berth
