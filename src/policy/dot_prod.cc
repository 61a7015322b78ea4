#include <cmath>

#include "policy/heuristics.h"
#include "policy/node_scorer.h"
#include "policy/openb_limits.h"

namespace berth {
namespace {

double UnlikeTheDemand(const Node& node, const Demand& demand) {
  const auto share = [](int64_t amount, double most) { return static_cast<double>(amount) / most; };
  const double cpu =
      share(node.free.cpu.value(), kOpenbMostCpu) * share(demand.cpu.value(), kOpenbMostCpu);
  const double gpu = share(node.free.TotalGpu().value(), kOpenbMostGpu) *
                     share(demand.TotalGpu().value(), kOpenbMostGpu);
  return std::floor(100 * (1 - (cpu + gpu) / 2));
}

}  // namespace

// The node whose free CPU and GPU are the least like what the pod asks for: the dot product of
// Tetris (Grandl et al., SIGCOMM'14), turned around. Source: the DotProd baseline of "Beware of
// Fragmentation" (Weng et al., USENIX ATC'23), in whole numbers as there.
ScorerPtr MakeDotProd() { return MakeNodeScorer("dot-prod", UnlikeTheDemand); }

}  // namespace berth
