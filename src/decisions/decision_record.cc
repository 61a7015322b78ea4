#include "decisions/decision_record.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "cluster/gpu_choice.h"
#include "policy/node_groups.h"

namespace berth {
namespace {

// Those that can take the pod, best first.
std::vector<const Node*> Ranked(const Decision& decision) {
  std::vector<const Node*> nodes;
  nodes.reserve(decision.ranking.feasible);
  for (uint32_t rank = 0; rank < decision.ranking.feasible; ++rank) {
    nodes.push_back(decision.candidates[decision.ranking.order[rank]]);
  }
  return nodes;
}

// Equal nodes have equal scores, so the groups of ranked nodes come best first as well.
void AddClasses(const Decision& decision, DecisionRecord& record) {
  const std::vector<const Node*> ranked = Ranked(decision);
  const NodeGroups groups = GroupEqualNodes(ranked);
  const size_t kept = std::min(groups.nodes.size(), DecisionRecord::kMaxClasses);
  record.more_classes = static_cast<int64_t>(groups.nodes.size() - kept);
  for (size_t i = 0; i < kept; ++i) record.classes.push_back({.example = *groups.nodes[i]});
  for (size_t rank = 0; rank < ranked.size(); ++rank) {
    if (groups.group_of[rank] >= kept) continue;
    CandidateClass& candidates = record.classes[groups.group_of[rank]];
    if (candidates.nodes++ == 0) candidates.score = decision.ranking.scores[rank];
  }
}

}  // namespace

bool AreFree(const GpuSet& gpus, const FreeState& free, const Demand& demand) {
  const auto has_share = [&](uint8_t gpu) {
    return gpu < free.gpus.size() && free.gpus[gpu] >= demand.per_gpu;
  };
  const bool distinct = std::ranges::adjacent_find(gpus, std::greater_equal()) == gpus.end();
  return gpus.size() == static_cast<size_t>(demand.gpus) && distinct &&
         std::ranges::all_of(gpus, has_share);
}

DecisionRecord RecordOf(const Decision& decision) {
  const ClusterView& view = *decision.cluster;
  DecisionRecord record{
      .request = decision.request,
      .time = decision.time,
      .pod = decision.pod,
      .demand = decision.demand,
      .profile = WorkloadProfilePtr(decision.cluster, &view.profile()),
      .context = view.context(),
      .nodes = static_cast<int64_t>(decision.candidates.size()) + decision.refused,
      .feasible = decision.ranking.feasible,
      .asked = std::string(decision.served->name()),
      .version = decision.served->version,
      .policy = decision.ranking.policy,
      .guard = decision.guard,
      .latency = decision.latency};
  AddClasses(decision, record);
  if (record.classes.empty()) return record;
  const Node& choice = record.classes.front().example;
  record.gpus = decision.served->scorer->ChooseGpus(choice, record.demand, *record.profile);
  if (!AreFree(record.gpus, choice.free, record.demand)) {
    record.gpus = ChooseGpusBestFit(choice.free, record.demand);
  }
  return record;
}

ClusterViewPtr ViewOf(const DecisionRecord& record) {
  std::vector<std::shared_ptr<const Node>> nodes;
  for (const CandidateClass& candidates : record.classes) {
    Node node = candidates.example;
    node.generation = 0;  // it is of no cluster that lives
    node.slot = static_cast<uint32_t>(nodes.size());
    nodes.push_back(std::make_shared<const Node>(std::move(node)));
  }
  std::ranges::sort(nodes, {}, [](const auto& node) { return node->name(); });
  auto index = std::make_shared<NodeIndex>();
  for (size_t i = 0; i < nodes.size(); ++i) {
    index->emplace(nodes[i]->name().value(), static_cast<uint32_t>(i));
  }
  return std::make_shared<const ClusterView>(1, std::move(nodes), std::move(index), ClusterTotals(),
                                             record.context, record.profile);
}

}  // namespace berth
