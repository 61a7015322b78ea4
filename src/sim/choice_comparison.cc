#include "sim/choice_comparison.h"

#include <algorithm>
#include <optional>

#include "sim/packing_run.h"
#include "sim/placer.h"

namespace berth {
namespace {

bool AreAlike(const Node& a, const Node& b) {
  if (a.spec->model != b.spec->model || a.spec->cpu != b.spec->cpu ||
      a.spec->memory != b.spec->memory) {
    return false;
  }
  // Which of its GPUs is the free one does not make a node another.
  const auto sorted = [](FreeState free) {
    std::ranges::sort(free.gpus);
    return free;
  };
  return sorted(a.free) == sorted(b.free);
}

size_t TenthInUse(const SimCluster& cluster) {
  const int64_t capacity = std::max<int64_t>(1, cluster.gpu_capacity().value());
  const int64_t tenth = cluster.gpu_used().value() * static_cast<int64_t>(kLoadTenths) / capacity;
  return std::min(kLoadTenths - 1, static_cast<size_t>(tenth));
}

}  // namespace

Status CompareChoices(const SimPolicy& first, const SimPolicy& second, const Trace& trace,
                      const EventOrder& order, Rng& rng, ChoiceComparison& comparison) {
  const Demands demands(trace.pods);
  SimCluster cluster = IdleCluster(trace, order);
  const WorkloadProfilePtr mix = MixOn(cluster, trace.profile, /*pods_leave=*/false);
  Placer placer(first, cluster, demands, mix, rng);
  const ScorerPtr other = second.make(cluster);
  NodeScores other_scores(*other, cluster, demands.distinct, SurroundingsOf(mix),
                          demands.distinct.size());
  for (const uint32_t pod : order.arrivals) {
    const uint32_t demand = demands.of_pod[pod];
    Status status;
    const auto choose = [&](const NodeScores::Row& scores) {
      const size_t chosen = scores.FirstMax();
      const auto others = other_scores.For(demand);
      status = others.status();
      if (!status.ok()) return chosen;
      const Node& mine = cluster.nodes()[chosen];
      const bool differs = !AreAlike(mine, cluster.nodes()[(*others)->FirstMax()]);
      comparison.all.Add(differs);
      comparison.by_size[static_cast<size_t>(SizeOf(demands.distinct[demand]))].Add(differs);
      comparison.by_load[TenthInUse(cluster)].Add(differs);
      return chosen;
    };
    const auto placed = placer.TryPlace(demand, choose);
    if (!placed.ok()) return placed.status();
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace berth
