#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "sim/evaluation.h"

namespace berth {

// What kPackingPage shows of runs that were evaluated with Detail::kPictures:
//
// {"version", "gpus": in the cluster, "policies": [name],
//  "nodes": [{"name", "model", "gpus"}], by model, larger ones first,
//  "traces": [{"name", "seeds": [number], "policies": [{
//    "allocation" and "fragmentation": {"mean", "least", "most"} over the seeds,
//    "idle": [mean], one for each IdleGpu,
//    "difference": {"mean", "error"} of the allocation to that of fgd on the same seeds,
//    "failed_pods": {"mean", "difference", "error"}, likewise, in the whole run,
//    "nodes": [[cpu, memory, gpu, ...]]: percent taken of each, at the end, of the first seed}]}],
//  "gains": GainsJson(), "failures": FailuresJson() (apps/berth/gains_report.h)}
//
// Everything over seeds is an array by arrived percent, 0 to 130, in percent of all GPUs; null
// where nothing arrived. REQUIRES: there are runs, of the same policies on each trace.
nlohmann::json PackingPageData(const std::vector<EvaluatedRun>& runs);

}  // namespace berth
