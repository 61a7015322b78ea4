#include "apps/berth/simulate_input.h"

#include <absl/strings/numbers.h>
#include <absl/strings/str_split.h>
#include <fmt/format.h>

#include <utility>

#include "apps/berth/skipped_rows.h"
#include "base/log.h"
#include "sim/csv_demand.h"
#include "sim/job_list.h"
#include "sim/openb_lists.h"
#include "sim/philly_list.h"

namespace berth {
namespace {

constexpr int kMostNodes = 100'000;

void AddNodes(int count, int gpus, std::vector<NodeSpec>& nodes) {
  for (int i = 0; i < count; ++i) {
    nodes.push_back({.name = NodeName(fmt::format("node-{:05}", nodes.size())),
                     .cpu = MilliCpu(kMostMilliCpu),
                     .memory = MiB(kMostMiB),
                     .gpus = gpus,
                     .model = GpuModel("gpu"),
                     .accounting = GpuAccounting::kManaged});
  }
}

Result<std::vector<NodeSpec>> ReadNodes(const SimulateInput& input) {
  if (!input.cluster.empty()) return ParseCluster(input.cluster);
  return ListingSkipped(input.skip_bad_rows, [&](std::vector<Status>* skipped) {
    return ReadOpenbNodes(input.nodes, skipped);
  });
}

Result<std::vector<TraceJob>> ReadJobs(const SimulateInput& input,
                                       const std::vector<NodeSpec>& nodes) {
  return ListingSkipped(input.skip_bad_rows, [&](std::vector<Status>* skipped) {
    if (!input.philly.empty()) return ReadPhillyList(input.philly, nodes, skipped);
    if (!input.pods.empty()) return ReadOpenbJobs(input.pods, nodes, skipped);
    return ReadJobList(input.jobs, nodes, skipped);
  });
}

Status CheckInput(const SimulateInput& input) {
  const int lists = !input.jobs.empty() + !input.philly.empty() + !input.pods.empty();
  if (lists != 1) {
    return absl::InvalidArgumentError(
        "say what to replay: one of --jobs FILE, --philly FILE, --pods FILE");
  }
  if (input.nodes.empty() == input.cluster.empty()) {
    return absl::InvalidArgumentError(
        "say on which nodes: either --nodes FILE, or --cluster 64x8 for 64 nodes of 8 GPUs each");
  }
  return absl::OkStatus();
}

}  // namespace

Result<std::vector<NodeSpec>> ParseCluster(std::string_view text) {
  std::vector<NodeSpec> nodes;
  for (const auto& shape : absl::StrSplit(absl::string_view(text.data(), text.size()), ',')) {
    const std::vector<std::string> sizes = absl::StrSplit(shape, 'x');
    int count = 0, gpus = 0;
    const bool is_sound = sizes.size() == 2 && absl::SimpleAtoi(sizes[0], &count) &&
                          absl::SimpleAtoi(sizes[1], &gpus) && count >= 1 && count <= kMostNodes &&
                          gpus >= 1 && gpus <= kMaxGpusPerNode;
    if (!is_sound) {
      return absl::InvalidArgumentError(
          fmt::format("--cluster {}: it should be such as 64x8, or 64x8,10x4: 1 to {} nodes of 1 "
                      "to {} GPUs each",
                      Quoted(text), kMostNodes, kMaxGpusPerNode));
    }
    AddNodes(count, gpus, nodes);
  }
  return nodes;
}

Result<Replay> ReadReplay(const SimulateInput& input) {
  if (Status sound = CheckInput(input); !sound.ok()) return sound;
  Result<std::vector<NodeSpec>> nodes = ReadNodes(input);
  if (!nodes.ok()) return nodes.status();
  Result<std::vector<TraceJob>> jobs = ReadJobs(input, *nodes);
  if (!jobs.ok()) return jobs.status();
  return MakeReplay(*std::move(nodes), *std::move(jobs));
}

}  // namespace berth
