#include "sim/placer.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "sim/draw.h"

namespace berth {
namespace {

// So many that the scores take 16 MiB.
size_t DemandsToRemember(size_t nodes) {
  constexpr size_t kMostScores = size_t{1} << 22;
  return std::max<size_t>(1, kMostScores / std::max<size_t>(1, nodes));
}

}  // namespace

ClusterViewPtr SurroundingsOf(const WorkloadProfilePtr& profile) {
  return std::make_shared<const ClusterView>(0, std::vector<std::shared_ptr<const Node>>(),
                                             std::make_shared<const NodeIndex>(), ClusterTotals(),
                                             ClusterContext(), profile);
}

Demands::Demands(const std::vector<TracePod>& pods) {
  std::map<Demand, uint32_t> numbers;
  for (const TracePod& pod : pods) {
    const auto [entry, is_new] =
        numbers.try_emplace(pod.demand, static_cast<uint32_t>(distinct.size()));
    if (is_new) distinct.push_back(pod.demand);
    of_pod.push_back(entry->second);
  }
}

Placer::Placer(const SimPolicy& policy, SimCluster& cluster, const Demands& demands,
               const WorkloadProfilePtr& profile, Rng& rng)
    : policy_(policy),
      cluster_(cluster),
      demands_(demands),
      rng_(rng),
      scorer_(policy.make(cluster)),
      profile_(profile),
      node_scores_(*scorer_, cluster, demands.distinct, SurroundingsOf(profile_),
                   DemandsToRemember(cluster.nodes().size())) {}

Result<std::optional<Placer::Place>> Placer::TryPlace(size_t number) {
  return TryPlace(number, [this](const NodeScores::Row& scores) {
    return policy_.ties == TieRule::kFirst ? scores.FirstMax() : AnyMax(scores);
  });
}

Result<std::optional<Placer::Place>> Placer::TryPlace(size_t number, const Choose& choose) {
  const Result<const NodeScores::Row*> scores = node_scores_.For(number);
  if (!scores.ok()) return scores.status();
  if ((*scores)->Max() == NodeScores::kCannotTakeIt) return std::nullopt;
  const size_t node = choose(**scores);
  const Demand& demand = demands_.distinct[number];
  Place place{node, ChooseGpus(cluster_.nodes()[node], demand)};
  cluster_.Place(node, demand, place.gpus);
  return place;
}

void Placer::Arrived(size_t number) {
  if (!online_ || !online_->Add(ClassOf(demands_.distinct[number]))) return;
  profile_ = online_->profile();
  node_scores_.SetSurroundings(SurroundingsOf(profile_));
}

size_t Placer::AnyMax(const NodeScores::Row& scores) {
  const size_t first = scores.FirstMax();
  std::vector<size_t> best;
  for (size_t i = first; i < cluster_.nodes().size(); ++i) {
    if (scores[i] == scores[first]) best.push_back(i);
  }
  return best[DrawBelow(rng_, best.size())];
}

GpuSet Placer::ChooseGpus(const Node& node, const Demand& demand) {
  if (demand.IsShare() && policy_.share == ShareRule::kRandom) return AnyThatFits(node, demand);
  return scorer_->ChooseGpus(node, demand, *profile_);
}

GpuSet Placer::AnyThatFits(const Node& node, const Demand& demand) {
  GpuSet fitting;
  for (size_t gpu = 0; gpu < node.free.gpus.size(); ++gpu) {
    if (node.free.gpus[gpu] >= demand.per_gpu) fitting.push_back(static_cast<uint8_t>(gpu));
  }
  return {fitting[DrawBelow(rng_, fitting.size())]};
}

}  // namespace berth
