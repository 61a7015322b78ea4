#pragma once

#include <deque>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/log.h"
#include "base/metrics.h"
#include "berth/clock.h"
#include "policy/choice_regret.h"
#include "policy/decision.h"
#include "policy/policy_slot.h"
#include "rollout/policy_tally.h"
#include "rollout/role_record.h"

namespace berth {

// Watches what the policies of a rollout decide: counts what the active one and the canary answer,
// asks the active one what it would have chosen for the canary's pods, and asks the shadow about
// every pod. That takes as long as answering does, so it is done on a thread that nobody waits for
// (policy/decision_queue.h).
//
// Where no node, or one, can take a pod there is nothing to choose; only whether it went well
// counts. Nodes that are equal to a policy (policy/node_groups.h) are the same choice.
//
// Metrics: berth_watched_decisions_total{role,outcome}, where outcome is same (as who it is
// compared with), differs or failed; berth_policy_regret{role}.
class RolloutWatch {
 public:
  // So many pods are remembered, to see whether they come back.
  static constexpr size_t kPods = 10'000;

  // All references outlive this.
  RolloutWatch(const PolicySlot& policies, const Clock& clock, Metrics& metrics, Logger& log);

  // Called by one thread at a time.
  void Watch(const Decision& decision);

  // Of those that have a role now. Thread-safe.
  std::vector<PolicyTally> Tallies() const;

 private:
  struct Counts {
    Counter& same;
    Counter& differs;
    Counter& failed;
    Gauge& regret;
  };

  static Counts AddCounts(Metrics& metrics, const std::string& role);
  void NoteAnswer(const Decision& decision);
  void NoteReturn(const Decision& decision);
  void CompareCanary(const Decision& decision, const PolicyRoutes& routes);
  void AskShadow(const Decision& decision, const PolicyRoutes& routes);
  void NoteChoice(RoleRecord& record, Counts& counts, const Choice& choice, const Choice& other,
                  const Decision& decision);
  void FollowRoles(const PolicyRoutes& routes);
  RoleRecord* RecordOf(const ServedPolicy* policy);

  const PolicySlot& policies_;
  const Clock& clock_;
  Logger& log_;
  Counts canary_counts_;
  Counts shadow_counts_;

  mutable std::mutex mutex_;  // guards the records; never held while a policy is asked
  RoleRecord active_{PolicyRole::kActive};
  RoleRecord canary_{PolicyRole::kCanary};
  RoleRecord shadow_{PolicyRole::kShadow};

  // Of the thread that watches.
  std::unordered_map<std::string, const ServedPolicy*> answered_;  // by pod UID: who answered last
  std::deque<std::string> pods_;                                   // in the order of their coming
  bool shadow_failed_ = false;
};

}  // namespace berth
