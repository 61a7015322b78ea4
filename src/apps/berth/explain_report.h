#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "facts/facts.h"
#include "rpc/explanation.h"

namespace berth {

// An explanation for people: the demand as understood, a table of the first 20 nodes, and counts of
// the refusals by reason.
std::string ExplainTable(const PodFacts& pod, const Explanation& explanation);

// The whole explanation for machines: milli-cores, MiB and milli-GPUs, as the names of the fields
// say.
nlohmann::json ExplainJson(const Explanation& explanation);

}  // namespace berth
