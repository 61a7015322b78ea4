#include "sim/mix_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace berth {
namespace {

constexpr int64_t kMostPods = 1'000'000;

Demand DemandOf(const PodClass& pod_class) {
  return {.cpu = pod_class.cpu,
          .gpus = pod_class.gpus,
          .per_gpu = pod_class.per_gpu,
          .accounting = pod_class.gpus > 0 ? GpuAccounting::kManaged : GpuAccounting::kNone,
          .models = pod_class.models};
}

Status CheckPlayable(const WorkloadProfile& profile) {
  int64_t left = kMostPods;
  bool has_gpus = false;
  for (const ClassCount& counted : profile.classes()) {
    if (counted.count > left) {
      return absl::InvalidArgumentError(
          fmt::format("profile {}: counts more than {} pods; give the classes smaller counts in "
                      "the same proportions",
                      profile.version(), kMostPods));
    }
    left -= counted.count;
    has_gpus = has_gpus || (counted.pod_class.gpus > 0 && counted.count > 0);
  }
  if (has_gpus) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("profile {}: no class asks for a GPU; at least one should", profile.version()));
}

}  // namespace

Result<Trace> MixTrace(std::vector<NodeSpec> nodes, WorkloadProfilePtr profile) {
  if (Status sound = CheckPlayable(*profile); !sound.ok()) return sound;
  if (std::ranges::none_of(nodes, [](const NodeSpec& node) { return node.gpus > 0; })) {
    return absl::InvalidArgumentError("none of the nodes has GPUs; at least one should");
  }
  Trace trace{.nodes = std::move(nodes), .profile = std::move(profile)};
  for (const ClassCount& counted : trace.profile->classes()) {
    for (int64_t i = 0; i < counted.count; ++i) {
      trace.pods.push_back(
          {fmt::format("pod-{:06}", trace.pods.size()), DemandOf(counted.pod_class)});
    }
  }
  return trace;
}

}  // namespace berth
