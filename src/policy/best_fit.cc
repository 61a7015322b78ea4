#include <cmath>

#include "policy/heuristics.h"
#include "policy/node_scorer.h"
#include "policy/openb_limits.h"

namespace berth {
namespace {

double Fullness(const Node& node, const Demand& demand) {
  const double cpu_left = static_cast<double>((node.free.cpu - demand.cpu).value());
  const double gpu_left = static_cast<double>((node.free.TotalGpu() - demand.TotalGpu()).value());
  return 100 * (1 - (cpu_left / kOpenbMostCpu * 0.5 + gpu_left / kOpenbMostGpu * 0.5));
}

double FullnessInWholePoints(const Node& node, const Demand& demand) {
  return std::floor(Fullness(node, demand));
}

}  // namespace

// The node with the least CPU and GPU left over. Source: the BestFit baseline of "Beware of
// Fragmentation" (Weng et al., USENIX ATC'23), without its normalisation, which keeps the order.
ScorerPtr MakeBestFit() { return MakeNodeScorer("best-fit", Fullness); }

// The same in whole numbers, as the paper's simulator runs it, where many nodes tie.
ScorerPtr MakeBestFitInteger() { return MakeNodeScorer("best-fit-integer", FullnessInWholePoints); }

}  // namespace berth
