#pragma once

#include <vector>

#include "berth/node.h"
#include "berth/result.h"
#include "sim/living_workload.h"
#include "sim/trace.h"
#include "sim/trace_job.h"

namespace berth {

// The jobs of a trace on nodes, to be played from the first submission until all is over.
struct Replay {
  std::vector<TraceJob> jobs;  // in the order in which they are submitted
  Trace trace;                 // the pod of each; policies are told the exact mix of the pods
  LivingWorkload workload;     // each of them
};

// Errors: INVALID_ARGUMENT when the jobs take longer, all together, than can be counted.
Result<Replay> MakeReplay(std::vector<NodeSpec> nodes, std::vector<TraceJob> jobs);

}  // namespace berth
