#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "berth/cluster_view.h"
#include "berth/node.h"
#include "berth/pod.h"
#include "berth/wall_clock.h"
#include "policy/decided_pod.h"
#include "policy/ranking.h"
#include "policy/served_policy.h"

namespace berth {

// One answer of the service and all that it was made from, for those who watch decisions. It is
// shared, never copied, and holds nothing that is worked out: whoever wants to know more works
// it out, on a thread that nobody waits for.
struct Decision {
  uint64_t request = 0;  // its own for all time, and larger than those of earlier decisions
  WallClock::TimePoint time;
  DecidedPod pod;
  Demand demand;                        // sound
  ClusterViewPtr cluster;               // never null; keeps the candidates alive
  std::vector<const Node*> candidates;  // what was ranked; null: a node that is not in the view
  uint32_t refused = 0;                 // nodes that were refused before they could be candidates
  ServedPolicyPtr served;               // who was asked; never null
  Ranking ranking;                      // of `candidates`
  std::string guard;  // why another than the policy in charge answered; empty: it did
  std::chrono::nanoseconds latency{0};
};

using DecisionPtr = std::shared_ptr<const Decision>;

// One who watches decisions.
class DecisionSink {
 public:
  virtual ~DecisionSink() = default;

  // Called on the thread that answers, and therefore quick: never blocks, and drops the decision
  // rather than wait. Thread-safe. A decision keeps a whole view alive, so a sink that keeps
  // decisions bounds how many.
  virtual void Offer(DecisionPtr decision) = 0;
};

}  // namespace berth
