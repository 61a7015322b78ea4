#pragma once

#include <memory>

#include "policy/learned_policy.h"
#include "sim/sim_policy.h"

namespace berth {

// The policy as it is simulated: natively, and what a node's state adds to every score is worked
// out once per state.
SimPolicy Simulated(std::shared_ptr<const LearnedPolicy> policy);

}  // namespace berth
