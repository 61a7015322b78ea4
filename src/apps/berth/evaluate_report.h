#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/evaluation.h"
#include "sim/parity.h"

namespace berth {

// Allocation per trace and policy when as much had arrived as there is, mean over the seeds, with
// the distance to FGD paired by seed and its standard error where FGD is among the policies.
std::string AllocationTable(const std::vector<EvaluatedRun>& runs);

// One line per trace and policy: how many pods a run were sent where their GPUs were not free.
std::string CrowdedTable(const std::vector<EvaluatedRun>& runs);

// One line per policy: how far it is from what was published, and whether that is near enough.
std::string ParityTable(const std::vector<Parity>& policies);

// {"runs": [{"policy", "trace", "seed", "allocation": {"0": 0.13, ...}, "failed_pods",
// "failed_gpus",
//            "failed_by_class": {name: {"pods", "gpus"}}}],
//  "gains": GainsJson(), "failures": FailuresJson() (apps/berth/gains_report.h)}
// with allocation in percent of the GPUs, by arrived percent of them.
nlohmann::json EvaluationJson(const std::vector<EvaluatedRun>& runs);

}  // namespace berth
