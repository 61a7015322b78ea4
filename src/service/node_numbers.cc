#include "service/node_numbers.h"

#include "base/check.h"

namespace berth {

std::optional<NodeName> NodeNumbers::Assign(uint32_t number, const NodeName& node) {
  BERTH_CHECK(number < kEnd, "numbers of nodes are below kEnd");
  const auto known = numbers_.find(node);
  if (known != numbers_.end()) {
    if (known->second == number) return std::nullopt;
    nodes_[known->second] = NodeName();
  }
  const std::optional<NodeName> before = Release(number);
  if (number >= nodes_.size()) nodes_.resize(number + 1);
  nodes_[number] = node;
  numbers_[node] = number;
  return before;
}

std::optional<NodeName> NodeNumbers::Release(uint32_t number) {
  std::optional<NodeName> node = NodeOf(number);
  if (!node) return std::nullopt;
  numbers_.erase(*node);
  nodes_[number] = NodeName();
  return node;
}

std::optional<NodeName> NodeNumbers::NodeOf(uint32_t number) const {
  if (number >= nodes_.size() || nodes_[number].empty()) return std::nullopt;
  return nodes_[number];
}

std::vector<std::pair<const Node*, uint32_t>> NodeNumbers::Of(const ClusterView& view) const {
  std::vector<std::pair<const Node*, uint32_t>> numbered;
  numbered.reserve(numbers_.size());
  auto number = numbers_.begin();
  for (const auto& node : view.nodes()) {  // sorted by name, as the numbers are
    while (number != numbers_.end() && number->first < node->name()) ++number;
    if (number == numbers_.end()) break;
    if (number->first == node->name()) numbered.emplace_back(node.get(), number->second);
  }
  return numbered;
}

}  // namespace berth
