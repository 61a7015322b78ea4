#include "policy/node_groups.h"

#include <absl/container/flat_hash_map.h>
#include <absl/hash/hash.h>

#include <algorithm>
#include <tuple>

namespace berth {
namespace {

auto Shape(const NodeSpec& spec) {
  return std::tie(spec.cpu, spec.memory, spec.gpus, spec.model, spec.gpu_memory, spec.accounting);
}

struct EqualState {
  bool operator()(const Node* a, const Node* b) const {
    return a->free == b->free && Shape(*a->spec) == Shape(*b->spec);
  }
};

// Over the free state alone: nodes of different shape with the same free state are rare, and
// EqualState tells them apart.
struct HashState {
  size_t operator()(const Node* node) const {
    size_t hash = absl::HashOf(node->free.cpu.value(), node->free.memory.value());
    for (MilliGpu gpu : node->free.gpus) hash = absl::HashOf(hash, gpu.value());
    return hash;
  }
};

// Compares each with each, which is quicker for a few.
NodeGroups GroupFew(std::span<const Node* const> candidates) {
  NodeGroups groups;
  for (const Node* node : candidates) {
    const auto equal = std::ranges::find_if(
        groups.nodes, [&](const Node* other) { return EqualState()(node, other); });
    groups.group_of.push_back(static_cast<uint32_t>(equal - groups.nodes.begin()));
    if (equal == groups.nodes.end()) groups.nodes.push_back(node);
  }
  return groups;
}

}  // namespace

NodeGroups GroupEqualNodes(std::span<const Node* const> candidates) {
  constexpr size_t kFew = 16;
  if (candidates.size() <= kFew) return GroupFew(candidates);
  NodeGroups groups;
  groups.group_of.reserve(candidates.size());
  absl::flat_hash_map<const Node*, uint32_t, HashState, EqualState> group_of;
  for (const Node* node : candidates) {
    const auto [entry, is_new] =
        group_of.try_emplace(node, static_cast<uint32_t>(groups.nodes.size()));
    if (is_new) groups.nodes.push_back(node);
    groups.group_of.push_back(entry->second);
  }
  return groups;
}

void ScoresOfCandidates(const NodeGroups& groups, std::span<const float> group_scores,
                        std::span<float> scores) {
  for (size_t i = 0; i < scores.size(); ++i) scores[i] = group_scores[groups.group_of[i]];
}

}  // namespace berth
