#pragma once

#include <cstdint>
#include <vector>

#include "base/rng.h"
#include "berth/node.h"
#include "berth/pod.h"
#include "berth/result.h"
#include "berth/workload_profile.h"
#include "sim/event_order.h"
#include "sim/inflation_curve.h"
#include "sim/openb_lists.h"
#include "sim/sim_policy.h"

namespace berth {

// What was simulated.
struct Trace {
  std::vector<NodeSpec> nodes;
  std::vector<TracePod> pods;
  WorkloadProfilePtr profile;  // what policies are told about the mix
};

struct PackingResult {
  InflationCurve curve;
  int64_t failed_pods = 0;  // no node could take them when they arrived; they do not come back
  MilliGpu failed_gpu;      // what those asked for
};

// Packs pods as they arrive into an empty cluster, one by one: nothing leaves, nothing waits.
// `rng` decides what the policy leaves to chance.
// REQUIRES: the trace has GPUs; the order belongs to it. Errors: the policy's.
Result<PackingResult> RunPacking(const SimPolicy& policy, const Trace& trace,
                                 const EventOrder& order, Rng& rng);

}  // namespace berth
