#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/metrics.h"
#include "rollout/policy_follower.h"
#include "rollout/policy_tally.h"
#include "rollout/rollout_control.h"
#include "rollout/rollout_verdict.h"

namespace berth {

// Promotes a canary when the plan says so, and rolls back a policy that does harm
// (rollout/rollout_verdict.h). Looks after each look of the follower, on the same thread.
//
// It changes rollout.yaml, as a person would. What was rolled back is not named there any more, so
// it does not come back by itself, nor after a restart. Where the file cannot be changed (it is
// mounted, frozen, or cannot be audited) the policy is held back in memory instead
// (PolicyFollower::Hold), until somebody edits the file: that nobody may change the file does not
// mean that harm goes on. A promotion waits in that case, for whoever edits the file.
//
// Counts berth_policy_rollbacks_total{cause}, berth_policy_promotions_total.
class RolloutJudge {
 public:
  using Tallies = std::function<std::vector<PolicyTally>()>;

  // All references, and what `tallies` uses, outlive this.
  RolloutJudge(RolloutControl& control, Tallies tallies, Metrics& metrics, Logger& log);

  // Nothing is judged while the follower has not taken up what the file says: the numbers would be
  // of other policies.
  void Look(PolicyFollower& follower);

 private:
  void Promote(const RolloutPlan& plan, const std::string& why);
  void RollBack(const RolloutPlan& plan, const RolloutVerdict& verdict, PolicyFollower& follower);
  Counter& RollBacks(const std::string& cause);
  void TellOnce(const std::string& what);

  RolloutControl& control_;
  const Tallies tallies_;
  Metrics& metrics_;
  Counter& promotions_;
  Logger& log_;
  std::string told_;
};

}  // namespace berth
