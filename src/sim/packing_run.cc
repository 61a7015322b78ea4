#include "sim/packing_run.h"

#include <optional>
#include <vector>

#include "sim/placer.h"

namespace berth {

SimCluster IdleCluster(const Trace& trace, const EventOrder& order) {
  std::vector<NodeSpec> sorted(trace.nodes.size());
  for (size_t i = 0; i < sorted.size(); ++i) sorted[order.node_rank[i]] = trace.nodes[i];
  return SimCluster(sorted);
}

Result<PackingResult> RunPacking(const SimPolicy& policy, const Trace& trace,
                                 const EventOrder& order, Rng& rng, PackingRecorder* recorder) {
  constexpr bool kPodsLeave = false;
  const Demands demands(trace.pods);
  SimCluster cluster = IdleCluster(trace, order);
  Placer placer(policy, cluster, demands, MixOn(cluster, trace.profile, kPodsLeave), rng);
  if (trace.online) placer.LearnFromArrivals();
  PackingResult result{.curve = InflationCurve(cluster.gpu_capacity())};
  MilliGpu arrived;
  for (const uint32_t pod : order.arrivals) {
    const Demand& demand = trace.pods[pod].demand;
    const Result<std::optional<Placer::Place>> place = placer.TryPlace(demands.of_pod[pod]);
    if (!place.ok()) return place.status();
    placer.Arrived(demands.of_pod[pod]);
    if (!*place) result.failed.Add(demand);
    arrived += demand.TotalGpu();
    result.curve.Add(arrived, cluster.gpu_used());
    if (recorder != nullptr) recorder->Record(cluster, arrived);
  }
  return result;
}

}  // namespace berth
