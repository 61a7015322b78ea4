#pragma once

#include <span>
#include <string>

#include "rollout/policy_tally.h"
#include "rollout/rollout_plan.h"

namespace berth {

// What the numbers say about a rollout.
struct RolloutVerdict {
  enum class Kind {
    kNothing,
    kNotYet,    // the canary has made its decisions, but is not good enough to be promoted
    kPromote,   // the canary
    kRollBack,  // the canary, or without one the active policy
  };

  Kind kind = Kind::kNothing;
  std::string cause;  // of a roll back: not_finite, failed, guarded or asked_again
  std::string why;    // with the numbers, for people; empty: kNothing
};

// When a policy is rolled back, by its last answers (RecentDecisions).
struct RollBackLimits {
  // Before that a rate means nothing. A single score that is not finite is enough: nothing but a
  // broken policy gives one.
  static constexpr int kLeastDecisions = 50;
  // Late or failed: the fallback is as good as it gets, but each such answer took the whole budget.
  static constexpr double kFailed = 0.05;
  // Guards are there to trip now and then; one in five is another policy than the one promoted.
  static constexpr double kGuarded = 0.2;
  // Pods come back for many reasons that are not the policy's, which the active one meets as well.
  static constexpr double kAskedAgain = 0.2;
  static constexpr double kAskedAgainTimesActive = 2;
};

// Judges the canary, or without one the active policy where there is a previous one to go back to.
// `tallies` are of the policies that the plan names. Pure.
RolloutVerdict JudgeRollout(const RolloutPlan& plan, std::span<const PolicyTally> tallies);

}  // namespace berth
