#include "policy/allocated_share.h"
#include "policy/heuristics.h"
#include "policy/node_scorer.h"

namespace berth {

// The emptiest node. Source: kube-scheduler's LeastAllocated strategy, with GPUs as a third
// resource.
ScorerPtr MakeSpread() {
  return MakeNodeScorer("spread", [](const Node& node, const Demand& demand) {
    return 100 * (1 - AllocatedShare(node, demand));
  });
}

}  // namespace berth
