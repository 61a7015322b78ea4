#include "berth/node.h"

#include <algorithm>

#include "base/check.h"

namespace berth {

MilliGpu FreeState::TotalGpu() const {
  MilliGpu total;
  for (const MilliGpu free : gpus) total += free;
  return total;
}

int FreeState::WholeGpus() const {
  return static_cast<int>(std::count(gpus.begin(), gpus.end(), kWholeGpu));
}

FreeState IdleState(const NodeSpec& spec) {
  return {.cpu = spec.cpu,
          .memory = spec.memory,
          .gpus = GpuFreeList(static_cast<size_t>(spec.gpus), kWholeGpu)};
}

FreeState AfterPlacing(const FreeState& free, const Demand& demand, const GpuSet& gpus) {
  BERTH_CHECK(gpus.size() == static_cast<size_t>(demand.gpus), "one index per GPU asked for");
  FreeState after = free;
  after.cpu -= demand.cpu;
  after.memory -= demand.memory;
  for (const uint8_t gpu : gpus) {
    BERTH_CHECK(gpu < after.gpus.size(), "the index is one of the node's GPUs");
    BERTH_CHECK(after.gpus[gpu] >= demand.per_gpu, "the GPU has the share free");
    after.gpus[gpu] -= demand.per_gpu;
  }
  return after;
}

FreeState AfterLeaving(const FreeState& free, const Demand& demand, const GpuSet& gpus) {
  FreeState after = free;
  after.cpu += demand.cpu;
  after.memory += demand.memory;
  for (const uint8_t gpu : gpus) {
    BERTH_CHECK(gpu < after.gpus.size(), "the index is one of the node's GPUs");
    after.gpus[gpu] += demand.per_gpu;
    BERTH_CHECK(after.gpus[gpu] <= kWholeGpu, "no GPU has more free than it is");
  }
  return after;
}

}  // namespace berth
