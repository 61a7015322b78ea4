#pragma once

#include <vector>

#include "berth/node.h"
#include "berth/result.h"
#include "berth/workload_profile.h"
#include "sim/trace.h"

namespace berth {

// A trace without a trace file: of each class of the profile as many pods as it counts, on the
// nodes. A profile knows nothing of memory, so they ask for none.
// Errors: INVALID_ARGUMENT when that are more than a million pods, or none with GPUs, or when
// no node has any.
Result<Trace> MixTrace(std::vector<NodeSpec> nodes, WorkloadProfilePtr profile);

}  // namespace berth
