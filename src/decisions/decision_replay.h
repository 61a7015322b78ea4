#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "decisions/decision_record.h"
#include "policy/pod_kind.h"

namespace berth {

// What another policy does on logged decisions, each taken for itself: what it would have done to
// the cluster, and so to the decisions after it, does not show.
struct DecisionReplay {
  // Of pods of one kind.
  struct Kind {
    int64_t decisions = 0;
    int64_t differ = 0;  // that go to nodes of another class
    // How much more its choice fragments its node than the logged one did, in milli-GPU (FGD's
    // measure), per decision.
    std::vector<double> more_fragmentation;
  };

  std::map<PodKind, Kind> kinds;
  int64_t without_node = 0;  // decisions that no node could take; not replayed
  int64_t cut = 0;           // replayed on the best classes only, as no more are logged
  int64_t guarded = 0;       // answered by another policy than the one in charge
  std::map<std::string, int64_t> policies;  // decisions by the policy that made them
  WallClock::TimePoint first, last;

  // Errors: the policy's; INVALID_ARGUMENT that names the request.
  Status Add(const DecisionRecord& record, const Scorer& policy);
};

}  // namespace berth
