#include "service/explain.h"

#include <algorithm>
#include <vector>

#include "cluster/feasibility.h"
#include "policy/ranking.h"

namespace berth {
namespace {

std::vector<std::string_view> AllNames(const ClusterView& view) {
  std::vector<std::string_view> names;
  names.reserve(view.nodes().size());
  for (const auto& node : view.nodes()) names.push_back(node->name().value());
  return names;
}

NodeVerdict Unknown(std::string_view name) {
  return {.node = NodeName(std::string(name)),
          .known = false,
          .reason = "Berth does not know this node (yet)",
          .model = {}};
}

NodeVerdict Known(const Node& node) {
  return {.node = node.name(),
          .cordoned = node.spec->cordoned,
          .free = node.free,
          .model = node.spec->model};
}

NodeVerdict Feasible(const Node& node, float score, GpuSet gpus) {
  NodeVerdict verdict = Known(node);
  verdict.feasible = true;
  verdict.score = score;
  verdict.gpus = std::move(gpus);
  return verdict;
}

NodeVerdict Refused(const Node& node, const Demand& demand) {
  NodeVerdict verdict = Known(node);
  verdict.reason =
      demand.invalid.empty() ? std::string(Reason(CheckFit(node, demand))) : demand.invalid;
  return verdict;
}

}  // namespace

Result<Explanation> ExplainDemand(const ClusterViewPtr& view, const Scorer& policy,
                                  const Demand& demand, std::span<const std::string_view> names,
                                  Clock::TimePoint deadline) {
  const std::vector<std::string_view> all =
      names.empty() ? AllNames(*view) : std::vector<std::string_view>();
  if (names.empty()) names = all;

  std::vector<const Node*> nodes;
  nodes.reserve(names.size());
  for (const std::string_view name : names) nodes.push_back(view->Find(name));
  Result<Ranking> ranking = Rank(policy, view, demand, nodes, deadline);
  if (!ranking.ok()) return ranking.status();

  Explanation explanation{.demand = demand,
                          .nodes = {},
                          .policy = std::move(ranking->policy),
                          .cluster_version = view->version(),
                          .ignored_wish = {}};
  explanation.nodes.reserve(names.size());
  for (uint32_t rank = 0; rank < ranking->order.size(); ++rank) {
    const uint32_t position = ranking->order[rank];
    const Node* node = nodes[position];
    if (node == nullptr) {
      explanation.nodes.push_back(Unknown(names[position]));
    } else if (rank < ranking->feasible) {
      explanation.nodes.push_back(Feasible(*node, ranking->scores[rank],
                                           policy.ChooseGpus(*node, demand, view->profile())));
    } else {
      explanation.nodes.push_back(Refused(*node, demand));
    }
  }
  std::stable_sort(explanation.nodes.begin() + ranking->feasible, explanation.nodes.end(),
                   [](const NodeVerdict& a, const NodeVerdict& b) { return a.node < b.node; });
  return explanation;
}

}  // namespace berth
