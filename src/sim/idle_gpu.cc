#include "sim/idle_gpu.h"

#include <absl/container/inlined_vector.h>

#include <algorithm>

namespace berth {
namespace {

// What is free on a node's GPUs, as pods of one size see it.
struct FreeBySize {
  int large_enough = 0;
  double too_small = 0;  // milli-GPU
};

FreeBySize SortBySize(const FreeState& free, MilliGpu size) {
  FreeBySize sorted;
  for (const MilliGpu gpu : free.gpus) {
    if (gpu >= size) {
      ++sorted.large_enough;
    } else {
      sorted.too_small += static_cast<double>(gpu.value());
    }
  }
  return sorted;
}

double& At(IdleGpuSplit& split, IdleGpu kind) { return split[static_cast<size_t>(kind)]; }

}  // namespace

std::string_view NameOf(IdleGpu kind) {
  constexpr std::string_view kNames[] = {"usable",  "model", "too small",
                                         "too few", "CPU",   "memory"};
  return kNames[static_cast<size_t>(kind)];
}

IdleGpuSplitter::IdleGpuSplitter(std::span<const NodeSpec> nodes, std::span<const TracePod> pods) {
  for (const NodeSpec& node : nodes) models_.try_emplace(node.model);
  std::map<Demand, int64_t> counts;
  int64_t all = 0;
  for (const TracePod& pod : pods) {
    if (pod.demand.gpus == 0) continue;
    ++counts[pod.demand];
    ++all;
  }
  for (const auto& [demand, count] : counts) {
    Add(demand, static_cast<double>(count) / static_cast<double>(all));
  }
}

void IdleGpuSplitter::Add(const Demand& demand, double probability) {
  const auto found = std::ranges::find(sizes_, demand.per_gpu);
  const auto size = static_cast<size_t>(found - sizes_.begin());
  if (found == sizes_.end()) sizes_.push_back(demand.per_gpu);
  const Pod pod{demand.cpu, demand.memory, demand.gpus, size, probability};
  for (auto& [model, pods] : models_) {
    if (demand.models.Allows(model)) {
      pods.accepting.push_back(pod);
    } else {
      pods.refusing += probability;
    }
  }
}

IdleGpuSplit IdleGpuSplitter::Split(const NodeSpec& node, const FreeState& free) const {
  const auto idle = static_cast<double>(free.TotalGpu().value());
  IdleGpuSplit split{};
  if (idle == 0) return split;
  absl::InlinedVector<FreeBySize, 64> by_size;
  for (const MilliGpu size : sizes_) by_size.push_back(SortBySize(free, size));
  const ForModel& pods = models_.at(node.model);
  At(split, IdleGpu::kModel) = pods.refusing * idle;
  for (const Pod& pod : pods.accepting) {
    const FreeBySize& gpus = by_size[pod.size];
    const IdleGpu large = gpus.large_enough < pod.gpus ? IdleGpu::kTooFew
                          : free.cpu < pod.cpu         ? IdleGpu::kCpu
                          : free.memory < pod.memory   ? IdleGpu::kMemory
                                                       : IdleGpu::kUsable;
    At(split, IdleGpu::kTooSmall) += pod.probability * gpus.too_small;
    At(split, large) += pod.probability * (idle - gpus.too_small);
  }
  return split;
}

}  // namespace berth
