#include "policy/allocated_share.h"
#include "policy/heuristics.h"
#include "policy/node_scorer.h"

namespace berth {

// The fullest node. Source: kube-scheduler's MostAllocated strategy, with GPUs as a third resource.
ScorerPtr MakeBinPack() {
  return MakeNodeScorer("bin-pack", [](const Node& node, const Demand& demand) {
    return 100 * AllocatedShare(node, demand);
  });
}

}  // namespace berth
