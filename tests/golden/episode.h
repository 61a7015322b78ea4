#pragma once

#include <string>

#include "sim/sim_policy.h"

namespace berth {

// Thirty pods arrive at a small cluster, and some leave in between. The text says for each where
// the policy puts it, on which GPUs, and what is left of the node then. REQUIRES: the policy leaves
// nothing to chance.
std::string EpisodeText(const SimPolicy& policy);

}  // namespace berth
