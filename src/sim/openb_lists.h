#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/node.h"
#include "berth/result.h"
#include "berth/workload_profile.h"
#include "sim/trace_job.h"

namespace berth {

// The node and pod lists of the Alibaba GPU trace 2023 (openb), and any others in that format: CSV
// (sim/csv.h) whose columns come in any order and may have others beside them. GPUs are handed out
// in shares, so nodes and pods are managed ones. The order of the records stays.
// Errors: INVALID_ARGUMENT that names file, line and column, and what would be right. With
// `skipped`, a record that is wrong is left out and its error goes there; what is wrong with the
// file as a whole (a column that is missing, a quote that is never closed) stays an error.

// sn (unique), cpu_milli, memory_mib, gpu, model (empty without GPUs).
Result<std::vector<NodeSpec>> ParseOpenbNodes(std::string_view text, std::string_view file,
                                              std::vector<Status>* skipped = nullptr);
Result<std::vector<NodeSpec>> ReadOpenbNodes(const std::filesystem::path& path,
                                             std::vector<Status>* skipped = nullptr);

// name (unique), cpu_milli, memory_mib, num_gpu, gpu_milli (of each GPU; 1000 for several), and
// where there is such a column gpu_spec: the models accepted, such as "T4|P100", of which one of
// `nodes` has one; empty for any. Only pods with GPUs are held to it.
Result<std::vector<TracePod>> ParseOpenbPods(std::string_view text, std::string_view file,
                                             std::span<const NodeSpec> nodes,
                                             std::vector<Status>* skipped = nullptr);
Result<std::vector<TracePod>> ReadOpenbPods(const std::filesystem::path& path,
                                            std::span<const NodeSpec> nodes,
                                            std::vector<Status>* skipped = nullptr);

// The same list as jobs, each of one pod, with creation_time and deletion_time (sim/csv_time.h): a
// pod runs as long as it was there in the trace, whenever it is placed. What else the trace says,
// such as when its own scheduler placed a pod, is not looked at.
Result<std::vector<TraceJob>> ParseOpenbJobs(std::string_view text, std::string_view file,
                                             std::span<const NodeSpec> nodes,
                                             std::vector<Status>* skipped = nullptr);
Result<std::vector<TraceJob>> ReadOpenbJobs(const std::filesystem::path& path,
                                            std::span<const NodeSpec> nodes,
                                            std::vector<Status>* skipped = nullptr);

// The exact mix of the pods: what FGD is given on openb.
WorkloadProfilePtr ProfileOf(const std::vector<TracePod>& pods, std::string version);

}  // namespace berth
