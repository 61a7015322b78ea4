#include "policy/gpu_choices.h"

#include <algorithm>

#include "cluster/gpu_choice.h"

namespace berth {
namespace {

GpuChoices ShareChoices(const GpuFreeList& gpus, MilliGpu share) {
  GpuChoices choices;
  for (size_t i = 0; i < gpus.size(); ++i) {
    const bool fits = gpus[i] >= share;
    const bool seen = std::find(gpus.begin(), gpus.begin() + i, gpus[i]) != gpus.begin() + i;
    if (fits && !seen) choices.push_back({static_cast<uint8_t>(i)});
  }
  return choices;
}

}  // namespace

GpuChoices DistinctGpuChoices(const FreeState& free, const Demand& demand) {
  if (demand.gpus == 0) return {GpuSet()};
  if (demand.IsShare()) return ShareChoices(free.gpus, demand.per_gpu);
  GpuSet whole = ChooseGpusBestFit(free, demand);
  if (whole.empty()) return {};
  return {std::move(whole)};
}

}  // namespace berth
