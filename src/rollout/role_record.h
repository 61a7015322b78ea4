#pragma once

#include <chrono>
#include <cstdint>
#include <deque>

#include "policy/served_policy.h"
#include "rollout/policy_tally.h"
#include "rollout/recent_times.h"

namespace berth {

// What is noted of the policy that has a role, from the moment it got it. Not thread-safe.
class RoleRecord {
 public:
  explicit RoleRecord(PolicyRole role) : role_(role) {}

  // From now on the record is about this policy; of another one nothing is kept. Null: nobody has
  // the role.
  void BeAbout(const ServedPolicyPtr& policy);
  const ServedPolicyPtr& policy() const { return policy_; }

  // An answer, or what a shadow would have answered: how it came about, and how long it took.
  void NoteAnswer(Guard guard, std::chrono::nanoseconds took);

  // A choice beside that of the policy it is compared with, in milli-GPU.
  void NoteChoice(bool differs, double regret, int64_t asked);

  // A pod came back after an answer.
  void NoteAskedAgain();

  // Of its choices, as PolicyTally has it.
  double Regret() const;

  // REQUIRES: somebody has the role.
  PolicyTally Tally() const;

 private:
  struct Outcome {
    Guard guard = Guard::kNone;
    int asked_again = 0;
  };

  RecentDecisions Recent() const;

  PolicyRole role_;
  ServedPolicyPtr policy_;
  PolicyTally counts_;
  double regret_milli_ = 0;
  int64_t asked_milli_ = 0;
  RecentTimes times_;
  std::deque<Outcome> recent_;
};

}  // namespace berth
