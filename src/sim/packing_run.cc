#include "sim/packing_run.h"

#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "sim/draw.h"
#include "sim/score_cache.h"
#include "sim/sim_cluster.h"

namespace berth {
namespace {

// The nodes in the order in which they win ties.
std::vector<NodeSpec> ByRank(const std::vector<NodeSpec>& nodes,
                             const std::vector<uint32_t>& node_rank) {
  std::vector<NodeSpec> sorted(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) sorted[node_rank[i]] = nodes[i];
  return sorted;
}

// The demands of a pod list, each once.
struct Demands {
  explicit Demands(const std::vector<TracePod>& pods) {
    std::map<Demand, uint32_t> numbers;
    for (const TracePod& pod : pods) {
      const auto [entry, is_new] =
          numbers.try_emplace(pod.demand, static_cast<uint32_t>(distinct.size()));
      if (is_new) distinct.push_back(pod.demand);
      of_pod.push_back(entry->second);
    }
  }

  std::vector<Demand> distinct;
  std::vector<uint32_t> of_pod;  // positions in `distinct`
};

// Policies are told the mix, and that nothing leaves; the nodes are handed to them one by one.
ClusterViewPtr SurroundingsOf(const Trace& trace) {
  return std::make_shared<const ClusterView>(
      0, std::vector<std::shared_ptr<const Node>>(), std::make_shared<const NodeIndex>(),
      ClusterTotals(), ClusterContext{.gpu_load_bucket = 0, .regime = 0}, trace.profile);
}

size_t AnyMax(const MaxTree& scores, size_t nodes, Rng& rng) {
  std::vector<size_t> best;
  for (size_t i = scores.FirstMax(); i < nodes; ++i) {
    if (scores[i] == scores.Max()) best.push_back(i);
  }
  return best[DrawBelow(rng, best.size())];
}

GpuSet AnyThatFits(const Node& node, const Demand& demand, Rng& rng) {
  GpuSet fitting;
  for (size_t gpu = 0; gpu < node.free.gpus.size(); ++gpu) {
    if (node.free.gpus[gpu] >= demand.per_gpu) fitting.push_back(static_cast<uint8_t>(gpu));
  }
  return {fitting[DrawBelow(rng, fitting.size())]};
}

GpuSet ChooseGpus(const SimPolicy& policy, const Scorer& scorer, const Node& node,
                  const Demand& demand, const WorkloadProfile& profile, Rng& rng) {
  if (demand.IsShare() && policy.share == ShareRule::kRandom) return AnyThatFits(node, demand, rng);
  return scorer.ChooseGpus(node, demand, profile);
}

// The node that the policy places the demand on; none when none can take it.
Result<std::optional<size_t>> ChooseNode(const SimPolicy& policy, ScoreCache& cache, size_t demand,
                                         size_t nodes, Rng& rng) {
  const Result<const MaxTree*> scores = cache.ScoresFor(demand);
  if (!scores.ok()) return scores.status();
  if ((*scores)->Max() == ScoreCache::kCannotTakeIt) return std::nullopt;
  return policy.ties == TieRule::kFirst ? (*scores)->FirstMax() : AnyMax(**scores, nodes, rng);
}

}  // namespace

Result<PackingResult> RunPacking(const SimPolicy& policy, const Trace& trace,
                                 const EventOrder& order, Rng& rng) {
  const Demands demands(trace.pods);
  SimCluster cluster(ByRank(trace.nodes, order.node_rank));
  const ScorerPtr scorer = policy.make(cluster);
  ScoreCache cache(*scorer, cluster, demands.distinct, SurroundingsOf(trace));
  PackingResult result{.curve = InflationCurve(cluster.gpu_capacity())};
  MilliGpu arrived;
  for (const uint32_t pod : order.arrivals) {
    const Demand& demand = trace.pods[pod].demand;
    const Result<std::optional<size_t>> chosen =
        ChooseNode(policy, cache, demands.of_pod[pod], trace.nodes.size(), rng);
    if (!chosen.ok()) return chosen.status();
    if (const std::optional<size_t> node = *chosen) {
      const Node& state = cluster.nodes()[*node];
      cluster.Place(*node, demand, ChooseGpus(policy, *scorer, state, demand, *trace.profile, rng));
    } else {
      ++result.failed_pods;
      result.failed_gpu += demand.TotalGpu();
    }
    arrived += demand.TotalGpu();
    result.curve.Add(arrived, cluster.gpu_used());
  }
  return result;
}

}  // namespace berth
