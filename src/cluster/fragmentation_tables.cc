#include "cluster/fragmentation_tables.h"

#include <algorithm>
#include <limits>
#include <mutex>

namespace berth {

namespace {

// The position of `value`, which is added where it is missing.
template <class T>
uint32_t PositionOf(const T& value, std::vector<T>& values) {
  const auto found = std::ranges::find(values, value);
  const auto position = static_cast<uint32_t>(found - values.begin());
  if (found == values.end()) values.push_back(value);
  return position;
}

}  // namespace

FragmentationTable::FragmentationTable(std::span<const TypicalPod> typical, const GpuModel& model) {
  constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
  for (const auto& [pod_class, probability] : typical) {
    const bool uses_gpus = pod_class.gpus > 0 && pod_class.models.Allows(model);
    pods.push_back({kNone, probability});
    if (!uses_gpus) continue;
    const uint32_t size = PositionOf(pod_class.per_gpu, sizes);
    pods.back().shape = PositionOf(Shape{pod_class.cpu, pod_class.gpus, size}, shapes);
  }
  for (Pod& pod : pods) pod.shape = std::min(pod.shape, static_cast<uint32_t>(shapes.size()));
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
