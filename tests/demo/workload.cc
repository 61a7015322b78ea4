#include "demo/workload.h"

#include <random>
#include <string>

namespace berth {
namespace {

constexpr int64_t kMibPerCore = 2048;

Demand DemandOf(const PodClass& pod_class) {
  return {.cpu = pod_class.cpu,
          .memory = MiB(pod_class.cpu.value() * kMibPerCore / 1000),
          .gpus = pod_class.gpus,
          .per_gpu = pod_class.per_gpu,
          .accounting = pod_class.gpus > 0 ? GpuAccounting::kManaged : GpuAccounting::kNone,
          .models = pod_class.models,
          .invalid = ""};
}

}  // namespace

std::vector<NodeSpec> SomeOf(std::span<const NodeSpec> nodes, size_t count) {
  std::vector<NodeSpec> some;
  for (size_t i = 0; i < count; ++i) some.push_back(nodes[i * nodes.size() / count]);
  return some;
}

MilliGpu TotalGpu(std::span<const NodeSpec> nodes) {
  MilliGpu total;
  for (const NodeSpec& node : nodes) total += kWholeGpu * node.gpus;
  return total;
}

std::vector<Pod> RunningPods(std::span<const NodeSpec> nodes) {
  std::vector<Pod> running;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (i % 3 == 0) continue;
    const NodeSpec& node = nodes[i];
    running.push_back({.uid = PodUid("uid-running-" + std::to_string(i)),
                       .name = "demo/running-" + std::to_string(i),
                       .demand = {.cpu = node.cpu,
                                  .memory = node.memory,
                                  .gpus = node.gpus,
                                  .per_gpu = kWholeGpu,
                                  .accounting = node.accounting,
                                  .models = {},
                                  .invalid = ""},
                       .node = node.name,
                       .priority = 0,
                       .expected_duration = std::nullopt});
  }
  return running;
}

MilliGpu TotalGpu(std::span<const Pod> pods) {
  MilliGpu total;
  for (const Pod& pod : pods) total += pod.demand.TotalGpu();
  return total;
}

std::vector<Pod> DrawPods(const WorkloadProfile& profile, MilliGpu capacity, size_t limit,
                          Rng& rng) {
  std::vector<double> weights;
  for (const ClassCount& entry : profile.classes()) {
    weights.push_back(static_cast<double>(entry.count));
  }
  std::discrete_distribution<size_t> pick(weights.begin(), weights.end());
  std::vector<Pod> pods;
  for (MilliGpu asked; asked < capacity && pods.size() < limit;) {
    const std::string number = std::to_string(pods.size());
    const Demand demand = DemandOf(profile.classes()[pick(rng)].pod_class);
    pods.push_back({.uid = PodUid("uid-" + number),
                    .name = "demo/pod-" + number,
                    .demand = demand,
                    .node = std::nullopt,
                    .priority = 0,
                    .expected_duration = std::nullopt});
    asked += demand.TotalGpu();
  }
  return pods;
}

}  // namespace berth
