#pragma once

#include <vector>

#include "berth/node.h"
#include "berth/workload_profile.h"
#include "sim/openb_lists.h"

namespace berth {

// What is simulated.
struct Trace {
  std::vector<NodeSpec> nodes;
  std::vector<TracePod> pods;
  WorkloadProfilePtr profile;  // what policies are told about the mix
};

}  // namespace berth
