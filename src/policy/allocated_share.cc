#include "policy/allocated_share.h"

#include <algorithm>

namespace berth {

double AllocatedShare(const Node& node, const Demand& demand) {
  double sum = 0;
  int resources = 0;
  const auto add = [&](int64_t capacity, int64_t free_after) {
    if (capacity <= 0) return;
    const double free_share = static_cast<double>(free_after) / static_cast<double>(capacity);
    sum += std::clamp(1 - free_share, 0.0, 1.0);
    ++resources;
  };
  const NodeSpec& spec = *node.spec;
  add(spec.cpu.value(), (node.free.cpu - demand.cpu).value());
  add(spec.memory.value(), (node.free.memory - demand.memory).value());
  if (demand.gpus > 0) {
    add((kWholeGpu * spec.gpus).value(), (node.free.TotalGpu() - demand.TotalGpu()).value());
  }
  return resources == 0 ? 0 : sum / resources;
}

}  // namespace berth
