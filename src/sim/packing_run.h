#pragma once

#include <cstdint>

#include "base/rng.h"
#include "berth/result.h"
#include "berth/units.h"
#include "sim/event_order.h"
#include "sim/inflation_curve.h"
#include "sim/packing_recorder.h"
#include "sim/sim_cluster.h"
#include "sim/sim_policy.h"
#include "sim/trace.h"

namespace berth {

struct PackingResult {
  InflationCurve curve;
  int64_t failed_pods = 0;   // no node could take them when they arrived; they do not come back
  MilliGpu failed_gpu;       // what those asked for
  int64_t crowded_pods = 0;  // sent where their GPUs were not free, each time (RunLagged)
};

// The nodes of the trace, all idle, in the order in which they win ties.
SimCluster IdleCluster(const Trace& trace, const EventOrder& order);

// Packs pods as they arrive into an empty cluster, one by one: nothing leaves, nothing waits.
// `rng` decides what the policy leaves to chance. With `recorder`, that sees every arrival.
// REQUIRES: the trace has GPUs; the order belongs to it. Errors: the policy's.
Result<PackingResult> RunPacking(const SimPolicy& policy, const Trace& trace,
                                 const EventOrder& order, Rng& rng,
                                 PackingRecorder* recorder = nullptr);

}  // namespace berth
