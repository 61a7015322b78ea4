#include "sim/mix_trace.h"

#include <fmt/format.h>

#include <string>
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

Status CheckSize(const WorkloadProfile& profile) {
  int64_t left = kMostPods;
  for (const ClassCount& counted : profile.classes()) {
    if (counted.count > left) {
      return absl::InvalidArgumentError(
          fmt::format("profile {}: counts more than {} pods; give the classes smaller counts in "
                      "the same proportions",
                      profile.version(), kMostPods));
    }
    left -= counted.count;
  }
  return absl::OkStatus();
}

}  // namespace

Result<Trace> MixTrace(std::vector<NodeSpec> nodes, WorkloadProfilePtr profile) {
  if (Status sound = CheckSize(*profile); !sound.ok()) return sound;
  Trace trace{.nodes = std::move(nodes), .profile = std::move(profile)};
  for (const ClassCount& counted : trace.profile->classes()) {
    for (int64_t i = 0; i < counted.count; ++i) {
      trace.pods.push_back(
          {fmt::format("pod-{:06}", trace.pods.size()), DemandOf(counted.pod_class)});
    }
  }
  const std::string name = fmt::format("profile {}", trace.profile->version());
  if (Status sound = CheckPlayable(trace, "node list", name); !sound.ok()) return sound;
  return trace;
}

}  // namespace berth
