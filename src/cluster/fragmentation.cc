#include "cluster/fragmentation.h"

#include <absl/container/inlined_vector.h>

#include "cluster/fragmentation_tables.h"

namespace berth {
namespace {

// A node's free GPUs as pods that ask for so much per GPU see them.
struct FreeForSize {
  int large_enough = 0;
  MilliGpu too_small;  // free on the others
};

FreeForSize SeenBySize(const FreeState& free, MilliGpu size) {
  FreeForSize seen;
  for (const MilliGpu gpu : free.gpus) {
    if (gpu >= size) {
      ++seen.large_enough;
    } else {
      seen.too_small += gpu;
    }
  }
  return seen;
}

}  // namespace

MilliGpu FragmentFor(const GpuModel& model, const FreeState& free, const PodClass& pod_class) {
  const bool can_use_none =
      pod_class.gpus == 0 || free.cpu < pod_class.cpu || !pod_class.models.Allows(model);
  if (can_use_none) return free.TotalGpu();
  const FreeForSize seen = SeenBySize(free, pod_class.per_gpu);
  return seen.large_enough >= pod_class.gpus ? seen.too_small : free.TotalGpu();
}

// FragmentFor() of every typical pod, with what several of them share worked out once.
double Fragmentation(const GpuModel& model, const FreeState& free, const WorkloadProfile& profile) {
  const MilliGpu idle = free.TotalGpu();
  if (idle == MilliGpu()) return 0;
  const FragmentationTable& table = profile.fragmentation_tables().For(model);
  absl::InlinedVector<FreeForSize, 32> seen;
  for (const MilliGpu size : table.sizes) seen.push_back(SeenBySize(free, size));
  double expected = 0;
  for (const FragmentationTable::Pod& pod : table.pods) {
    const FreeForSize& gpus = seen[pod.size];
    const bool can_use_some = free.cpu >= pod.cpu && gpus.large_enough >= pod.gpus;
    const MilliGpu fragment = can_use_some ? gpus.too_small : idle;
    expected += pod.probability * static_cast<double>(fragment.value());
  }
  return expected;
}

}  // namespace berth
