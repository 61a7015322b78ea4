#include "sim/idle_fit.h"

#include "cluster/feasibility.h"
#include "cluster/gpu_choice.h"

namespace berth {

uint32_t FitWhenIdle(std::span<const Node> nodes, const Demand& demand, uint32_t enough) {
  uint32_t pods = 0;
  for (const Node& node : nodes) {
    Node filling{.spec = node.spec, .free = IdleState(*node.spec)};
    for (; pods < enough && CheckFit(filling, demand) == Refusal::kNone; ++pods) {
      const GpuSet gpus = ChooseGpusBestFit(filling.free, demand);
      filling.free = AfterPlacing(filling.free, demand, gpus);
    }
  }
  return pods;
}

}  // namespace berth
