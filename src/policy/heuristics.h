#pragma once

#include <string_view>
#include <vector>

#include "berth/policy.h"

namespace berth {

// The built-in policies by name: first-fit, best-fit, bin-pack, spread, fgd, fgd-bestfit. Each has
// a file of its own; this is the list of them.
// Errors: NOT_FOUND that lists the names there are.
Result<ScorerPtr> MakeHeuristic(std::string_view name);

// In the order in which --help lists them.
std::vector<std::string_view> HeuristicNames();

}  // namespace berth
