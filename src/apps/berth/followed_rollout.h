#pragma once

#include <filesystem>
#include <string>

#include "base/log.h"
#include "base/metrics.h"
#include "berth/clock.h"
#include "berth/wall_clock.h"
#include "policy/decision_queue.h"
#include "policy/policy_slot.h"
#include "rollout/audit_log.h"
#include "rollout/following_thread.h"
#include "rollout/rollout_control.h"
#include "rollout/rollout_judge.h"
#include "rollout/rollout_watch.h"
#include "service/policy_admin.h"
#include "torch/policy_probation.h"

namespace berth {

// The rollout of `berth serve --policies`: followed, watched, judged, looked at and changed.
struct FollowedRollout {
  // Looks until what lies there ready is in charge. Without a name there is no audit log. All
  // references outlive this.
  FollowedRollout(const std::filesystem::path& folder, const std::string& audit_log,
                  PolicyFollower follower, const PolicySlot& policies, PolicyProbation& probation,
                  const Clock& clock, const WallClock& wall_clock, Metrics& metrics, Logger& log);

  AuditLog audit;
  RolloutControl control;
  RolloutWatch watch;
  DecisionQueue decisions;  // to be offered every decision: they go to the watch
  RolloutJudge judge;       // of the following thread
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
