#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "berth/cluster_view.h"

namespace berth {

// A view of exactly these nodes, for tests that need no books. Totals are left out. Nodes without a
// generation get one that no other node has.
inline ClusterViewPtr ViewOf(std::vector<Node> nodes, WorkloadProfilePtr profile,
                             ClusterContext context = {}) {
  std::ranges::sort(nodes, {}, [](const Node& node) { return node.name(); });
  std::vector<std::shared_ptr<const Node>> shared;
  auto index = std::make_shared<NodeIndex>();
  static std::atomic<uint64_t> generation = 0;
  for (Node& node : nodes) {
    if (node.generation == 0) node.generation = ++generation;
    node.slot = static_cast<uint32_t>(shared.size());
    index->emplace(node.name().value(), static_cast<uint32_t>(shared.size()));
    shared.push_back(std::make_shared<const Node>(std::move(node)));
  }
  return std::make_shared<const ClusterView>(1, std::move(shared), std::move(index),
                                             ClusterTotals(), context, std::move(profile));
}

// Every node of the view, in its order.
inline std::vector<const Node*> AllNodes(const ClusterView& view) {
  std::vector<const Node*> nodes;
  for (const auto& node : view.nodes()) nodes.push_back(node.get());
  return nodes;
}

}  // namespace berth
