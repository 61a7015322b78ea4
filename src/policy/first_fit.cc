#include "policy/heuristics.h"
#include "policy/node_scorer.h"

namespace berth {

// Every node is as good as any other, so the tie rule decides: the first by name.
ScorerPtr MakeFirstFit() {
  return MakeNodeScorer("first-fit", [](const Node&, const Demand&) { return 0.0; });
}

}  // namespace berth
