#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "apps/berth/policy_results.h"
#include "base/log.h"
#include "sim/in_parallel.h"

namespace berth {

// What of it is measured: on the orders of the openb suite that lie in a directory
// (sim/openb_suite.h), and in living clusters of the built-in mix.
struct MeasuredPart {
  std::filesystem::path orders;
  std::vector<std::string> traces;
  std::vector<uint64_t> packing_seeds;
  std::vector<uint64_t> living_seeds;
};

// Every trace of the suite on seeds 42 to 51, living clusters on seeds 9001 to 9010.
MeasuredPart WholeSuite(std::filesystem::path orders);

// Those traces and seeds whose orders lie there, and one living cluster: for a look that takes
// moments.
Result<MeasuredPart> PartThatLiesIn(std::filesystem::path orders);

// Loads the policy file in `directory`, scores placements that never change with it, and plays that
// part. Errors: those of loading and of the suite.
Result<PolicyResults> MeasurePolicy(const std::filesystem::path& directory,
                                    const MeasuredPart& part, const Parallel& parallel);

}  // namespace berth
