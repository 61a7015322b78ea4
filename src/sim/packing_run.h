#pragma once

#include <cstdint>

#include "base/rng.h"
#include "berth/result.h"
#include "sim/event_order.h"
#include "sim/failed_pods.h"
#include "sim/inflation_curve.h"
#include "sim/packing_recorder.h"
#include "sim/sim_cluster.h"
#include "sim/sim_policy.h"
#include "sim/trace.h"

namespace berth {

struct PackingResult {
  InflationCurve curve;
  FailedPods failed;
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
