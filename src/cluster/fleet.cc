#include "cluster/fleet.h"

#include <algorithm>
#include <cstdlib>

namespace berth {
namespace {

bool IsFar(int64_t now, int64_t known) { return 16 * std::abs(now - known) > known; }

}  // namespace

void AddTo(Fleet& fleet, const NodeSpec& node) {
  fleet.cpu += node.cpu;
  if (node.gpus > 0) fleet.gpus[node.model] += kWholeGpu * node.gpus;
}

bool IsFar(const Fleet& now, const Fleet& known) {
  if (IsFar(now.cpu.value(), known.cpu.value())) return true;
  return !std::ranges::equal(now.gpus, known.gpus, [](const auto& a, const auto& b) {
    return a.first == b.first && !IsFar(a.second.value(), b.second.value());
  });
}

}  // namespace berth
