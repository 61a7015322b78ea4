#pragma once

#include <cstddef>

#include "berth/policy.h"
#include "decisions/decision_record.h"

namespace berth {

// What a policy decides on a logged decision.
struct PlacedChoice {
  size_t in_class = 0;  // position of the choice's class
  GpuSet gpus;
  double added_fragmentation = 0;  // policy/choice_regret.h, over the logged mix
};

// The one that was made. REQUIRES: there are classes.
PlacedChoice ChoiceOf(const DecisionRecord& record);

// The one that `policy` makes of the logged classes; it does not see those that were left out.
// REQUIRES: there are classes. Errors: the policy's; INVALID_ARGUMENT when none of the classes can
// take the pod.
Result<PlacedChoice> ChoiceOf(const Scorer& policy, const DecisionRecord& record);

}  // namespace berth
