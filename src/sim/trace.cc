#include "sim/trace.h"

#include <fmt/format.h>

#include <algorithm>

namespace berth {

Status CheckPlayable(const Trace& trace, std::string_view nodes_from, std::string_view pods_from) {
  if (std::ranges::none_of(trace.nodes, [](const NodeSpec& node) { return node.gpus > 0; })) {
    return absl::InvalidArgumentError(
        fmt::format("{}: none of the nodes has GPUs; at least one should", nodes_from));
  }
  if (std::ranges::none_of(trace.pods, [](const TracePod& pod) { return pod.demand.gpus > 0; })) {
    return absl::InvalidArgumentError(
        fmt::format("{}: no pod asks for a GPU; at least one should", pods_from));
  }
  return absl::OkStatus();
}

}  // namespace berth
