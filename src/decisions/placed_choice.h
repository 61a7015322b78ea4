#pragma once

#include <cstddef>

#include "berth/policy.h"
#include "decisions/decision_record.h"

namespace berth {

// What a policy decides on a logged decision.
struct PlacedChoice {
  size_t in_class = 0;  // position of the choice's class
  GpuSet gpus;
  double added_fragmentation = 0;  // by the FGD measure over the logged mix, in milli-GPU
};

// How much more fragmented the node is once the pod is there. REQUIRES: the GPUs are free.
double AddedFragmentation(const DecisionRecord& record, const Node& node, const GpuSet& gpus);

// The one that was made. REQUIRES: there are classes.
PlacedChoice ChoiceOf(const DecisionRecord& record);

// The one that `policy` makes of the logged classes; it does not see those that were left out.
// REQUIRES: there are classes. Errors: the policy's; INVALID_ARGUMENT when none of the classes can
// take the pod.
Result<PlacedChoice> ChoiceOf(const Scorer& policy, const DecisionRecord& record);

}  // namespace berth
