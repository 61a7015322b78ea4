#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/living_suite.h"

namespace berth {

// For people: per setting and policy the GPUs in use, the mean wait and that by size of job, each
// the mean over the seeds, the first two beside the best heuristic
// (apps/berth/living_comparison.h). Settings without a steady state are pointed out.
std::string LivingTable(const std::vector<LivingSuiteRun>& runs);

// For machines: {"runs": [...], with queue, load, policy, seed, allocated, waits and waits_by_size;
// "policies": [{"queue", "load", "steady", "policy", "allocated_percent", "wait_lifetimes":
// {"mean", and where a heuristic ran "best", "difference", "standard_error", "of"},
// "wait_lifetimes_by_size": {name: likewise}}],
// "warm_up_lifetimes", "horizon_lifetimes"}.
nlohmann::json LivingJson(const std::vector<LivingSuiteRun>& runs);

}  // namespace berth
