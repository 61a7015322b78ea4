#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/result.h"
#include "sim/evaluation.h"

namespace berth {

// The 17 mixes of the FGD paper: "default", "cpu050" and so on.
std::span<const std::string_view> OpenbTraceNames();

// The traces of the FGD paper as its simulator played them. `orders` holds the events
// (sim/event_order.h); beside it lie openb_node_list_gpu_node.csv and openb_pod_list_TRACE.csv.
// Policies are told the exact mix of each trace, as there.
// Errors: those of the readers; NOT_FOUND that lists the traces when there is none of that name.
Result<std::vector<SeededTrace>> ReadOpenbSuite(const std::filesystem::path& orders,
                                                std::span<const std::string> traces,
                                                std::span<const uint64_t> seeds);

// A trace with orders drawn from the seeds.
SeededTrace DrawOrders(std::string name, Trace trace, std::span<const uint64_t> seeds);

// Traces of any node and pod lists in that format, with orders drawn from the seeds. A trace is
// called what its file is, less "openb_pod_list_" and ".csv". With `skipped`, bad rows are left
// out; see sim/openb_lists.h.
// Errors: those of the readers; INVALID_ARGUMENT when no node has GPUs or no pod asks for one.
Result<std::vector<SeededTrace>> DrawTraces(const std::filesystem::path& nodes,
                                            std::span<const std::string> pods,
                                            std::span<const uint64_t> seeds,
                                            std::vector<Status>* skipped);

}  // namespace berth
