#pragma once

#include <string>
#include <string_view>

#include "berth/result.h"
#include "berth/workload_profile.h"

namespace berth {

// A workload profile as JSON:
//
//   {"version": "my-cluster-7", "source": "where the counts are from",
//    "classes": [{"cpu_milli": 4000, "gpus": 1, "gpu_milli": 500, "models": ["T4"], "count": 12}]}
//
// `source` and `models` may be left out; any other key is an error. `gpu_milli` is the share of
// each GPU: 1..1000 for one GPU, 1000 for several, 0 for none.
// Errors: INVALID_ARGUMENT that names the file, the field and what would be right.
// `file` is only for messages.
Result<WorkloadProfile> ParseProfile(std::string_view json, std::string_view file);

// The profile as such JSON, on one line. Its fleet and whether its pods leave are no part of it.
std::string ProfileJson(const WorkloadProfile& profile);

// Reads the file at `path`. Blocks. Errors: NOT_FOUND that names the file; ParseProfile's.
Result<WorkloadProfile> LoadProfile(const std::string& path);

}  // namespace berth
