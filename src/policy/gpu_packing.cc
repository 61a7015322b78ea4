#include <algorithm>

#include "policy/heuristics.h"
#include "policy/node_scorer.h"

namespace berth {
namespace {

// What the pod would take of an occupied node when it starts with the fullest GPUs.
struct Taken {
  int idle_gpus = 0;
  int64_t free_percent = 0;  // summed over its GPUs, each rounded down
};

Taken TakeFullestFirst(const FreeState& free, const Demand& demand) {
  GpuFreeList fitting;
  for (const MilliGpu gpu : free.gpus) {
    if (gpu >= demand.per_gpu) fitting.push_back(gpu);
  }
  std::ranges::sort(fitting);
  fitting.resize(std::min(fitting.size(), static_cast<size_t>(demand.gpus)));
  Taken taken;
  for (const MilliGpu gpu : fitting) {
    if (gpu == kWholeGpu) ++taken.idle_gpus;
    taken.free_percent += 100 * gpu.value() / kWholeGpu.value();
  }
  return taken;
}

double Packed(const Node& node, const Demand& demand) {
  if (demand.gpus == 0) return 0;
  const int idle = node.free.WholeGpus();
  if (idle == node.spec->gpus) return std::max(33 - idle, idle);
  const Taken taken = TakeFullestFirst(node.free, demand);
  if (taken.idle_gpus > 0) return std::max(50 - taken.idle_gpus, 33);
  return static_cast<double>(std::max<int64_t>(100 - taken.free_percent / 10, 50));
}

}  // namespace

// GPUs in use before idle GPUs of a node in use before idle nodes. Source: the GpuPacking baseline
// of "Beware of Fragmentation" (Weng et al., USENIX ATC'23).
ScorerPtr MakeGpuPacking() { return MakeNodeScorer("gpu-packing", Packed); }

}  // namespace berth
