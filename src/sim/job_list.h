#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "berth/node.h"
#include "berth/result.h"
#include "sim/trace_job.h"

namespace berth {

// Berth's own list of jobs, for traces from anywhere: CSV (sim/csv.h) whose columns come in any
// order and may have others beside them. docs/simulation.md has the table of columns:
//   job (unique), submit and duration (sim/csv_time.h), gpus, and where there are such columns
//   gpu_milli, cpu_milli, memory_mib, models (sim/csv_demand.h), priority, queue, gang.
// Errors and `skipped`: as for the openb lists (sim/openb_lists.h). The order of the records stays.
Result<std::vector<TraceJob>> ParseJobList(std::string_view text, std::string_view file,
                                           std::span<const NodeSpec> nodes,
                                           std::vector<Status>* skipped = nullptr);
Result<std::vector<TraceJob>> ReadJobList(const std::filesystem::path& path,
                                          std::span<const NodeSpec> nodes,
                                          std::vector<Status>* skipped = nullptr);

}  // namespace berth
