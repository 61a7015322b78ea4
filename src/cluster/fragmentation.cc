#include "cluster/fragmentation.h"

namespace berth {
namespace {

// Idle GPU on GPUs that are too small for the class; all of it when too few are large enough.
MilliGpu FragmentOf(const FreeState& free, MilliGpu idle, const PodClass& pod_class) {
  int large_enough = 0;
  MilliGpu too_small;
  for (const MilliGpu gpu : free.gpus) {
    if (gpu >= pod_class.per_gpu) {
      ++large_enough;
    } else {
      too_small += gpu;
    }
  }
  return large_enough >= pod_class.gpus ? too_small : idle;
}

MilliGpu FragmentFor(const GpuModel& model, const FreeState& free, MilliGpu idle,
                     const PodClass& pod_class) {
  const bool can_use_none =
      pod_class.gpus == 0 || free.cpu < pod_class.cpu || !pod_class.models.Allows(model);
  return can_use_none ? idle : FragmentOf(free, idle, pod_class);
}

}  // namespace

MilliGpu FragmentFor(const GpuModel& model, const FreeState& free, const PodClass& pod_class) {
  return FragmentFor(model, free, free.TotalGpu(), pod_class);
}

double Fragmentation(const GpuModel& model, const FreeState& free, const WorkloadProfile& profile) {
  const MilliGpu idle = free.TotalGpu();
  if (idle == MilliGpu()) return 0;
  double expected = 0;
  for (const TypicalPod& typical : profile.typical_pods()) {
    expected += typical.probability *
                static_cast<double>(FragmentFor(model, free, idle, typical.pod_class).value());
  }
  return expected;
}

}  // namespace berth
