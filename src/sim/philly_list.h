#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "berth/node.h"
#include "berth/result.h"
#include "sim/trace_job.h"

namespace berth {

// The jobs of Microsoft's Philly trace (Jeon et al., USENIX ATC'19) as one CSV, in the form that
// comes with Sia (SOSP'23): timestamp, duration (seconds), num_gpus and cluster, the virtual
// cluster, which becomes the job's queue. A job is called after its line. It says nothing about CPU
// and memory, so its pods ask for none. A job of more GPUs than any of `nodes` has becomes a gang:
// as few equal pods as possible that each fit one node's number.
// Errors and `skipped`: as for the openb lists (sim/openb_lists.h). The order of the records stays.
Result<std::vector<TraceJob>> ParsePhillyList(std::string_view text, std::string_view file,
                                              std::span<const NodeSpec> nodes,
                                              std::vector<Status>* skipped = nullptr);
Result<std::vector<TraceJob>> ReadPhillyList(const std::filesystem::path& path,
                                             std::span<const NodeSpec> nodes,
                                             std::vector<Status>* skipped = nullptr);

}  // namespace berth
