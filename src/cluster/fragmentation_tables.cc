#include "cluster/fragmentation_tables.h"

#include <algorithm>
#include <mutex>

namespace berth {

FragmentationTable::FragmentationTable(std::span<const TypicalPod> typical, const GpuModel& model) {
  for (const auto& [pod_class, probability] : typical) {
    const auto size = std::ranges::find(sizes, pod_class.per_gpu);
    const bool uses_gpus = pod_class.gpus > 0 && pod_class.models.Allows(model);
    pods.push_back({.cpu = pod_class.cpu,
                    .gpus = uses_gpus ? pod_class.gpus : kNever,
                    .size = static_cast<uint32_t>(size - sizes.begin()),
                    .probability = probability});
    if (size == sizes.end()) sizes.push_back(pod_class.per_gpu);
  }
}

const FragmentationTable& FragmentationTables::For(const GpuModel& model) const {
  {
    const std::shared_lock lock(mutex_);
    const auto found = tables_.find(model);
    if (found != tables_.end()) return found->second;
  }
  const std::unique_lock lock(mutex_);
  return tables_.try_emplace(model, typical_, model).first->second;
}

}  // namespace berth
