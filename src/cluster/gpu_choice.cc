#include "cluster/gpu_choice.h"

namespace berth {
namespace {

GpuSet TightestGpu(const GpuFreeList& free, MilliGpu share) {
  GpuSet tightest;
  for (size_t gpu = 0; gpu < free.size(); ++gpu) {
    if (free[gpu] < share) continue;
    if (!tightest.empty() && free[gpu] >= free[tightest[0]]) continue;
    tightest.assign(1, static_cast<uint8_t>(gpu));
  }
  return tightest;
}

GpuSet LowestGpus(const GpuFreeList& free, const Demand& demand) {
  GpuSet lowest;
  for (size_t gpu = 0; gpu < free.size() && lowest.size() < static_cast<size_t>(demand.gpus);
       ++gpu) {
    if (free[gpu] >= demand.per_gpu) lowest.push_back(static_cast<uint8_t>(gpu));
  }
  return lowest.size() == static_cast<size_t>(demand.gpus) ? lowest : GpuSet();
}

}  // namespace

GpuSet ChooseGpusBestFit(const FreeState& free, const Demand& demand) {
  if (demand.gpus <= 0) return {};
  return demand.IsShare() ? TightestGpu(free.gpus, demand.per_gpu) : LowestGpus(free.gpus, demand);
}

}  // namespace berth
