#include "berth/policy.h"
#include "cluster/gpu_choice.h"

namespace berth {

GpuSet Scorer::ChooseGpus(const Node& node, const Demand& demand, const WorkloadProfile&) const {
  return ChooseGpusBestFit(node.free, demand);
}

}  // namespace berth
