#include "policy/heuristics.h"
#include "policy/node_scorer.h"

namespace berth {
namespace {

// The largest node of the openb trace; it only sets how much a core weighs against a GPU.
constexpr double kMostCpu = 128'000;
constexpr double kMostGpu = 8'000;

double Score(const Node& node, const Demand& demand) {
  const double cpu_left = static_cast<double>((node.free.cpu - demand.cpu).value());
  const double gpu_left = static_cast<double>((node.free.TotalGpu() - demand.TotalGpu()).value());
  return 100 * (1 - 0.5 * cpu_left / kMostCpu - 0.5 * gpu_left / kMostGpu);
}

}  // namespace

// The node with the least CPU and GPU left over. Source: the BestFit baseline of "Beware of
// Fragmentation" (Weng et al., USENIX ATC'23), without its normalisation, which keeps the order.
ScorerPtr MakeBestFit() { return MakeNodeScorer("best-fit", Score); }

}  // namespace berth
