#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "berth/node.h"
#include "berth/result.h"
#include "sim/replay.h"

namespace berth {

struct SimulateInput {
  std::string nodes;
  std::string cluster;
  std::string jobs;
  std::string philly;
  std::string pods;
  bool skip_bad_rows = false;
};

// Nodes as people write them: "64x8" is 64 nodes of 8 GPUs each, "64x8,10x4" has 10 of 4 beside
// them. Each has CPU and memory for all.
// Errors: INVALID_ARGUMENT that says what would be right.
Result<std::vector<NodeSpec>> ParseCluster(std::string_view text);

// The jobs on the nodes that the input names. Rows that are skipped are listed on standard error.
// Errors name the option, or the file, line and column.
Result<Replay> ReadReplay(const SimulateInput& input);

}  // namespace berth
