#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/living_suite.h"

namespace berth {

// For people: per setting and policy the GPUs in use, the mean wait and that by size of job, each
// the mean over the seeds.
std::string LivingTable(const std::vector<LivingSuiteRun>& runs);

// For machines: {"runs": [...]} with queue, load, policy, seed, allocated, waits.
nlohmann::json LivingJson(const std::vector<LivingSuiteRun>& runs);

}  // namespace berth
