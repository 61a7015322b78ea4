#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "berth/node.h"

namespace berth {

// Candidates sorted into groups of equal nodes, so that each kind is evaluated once per request:
// the 1,213 nodes of an empty openb cluster are 15 kinds.
struct NodeGroups {
  std::vector<const Node*> nodes;  // one of each group, in order of first appearance
  std::vector<uint32_t> group_of;  // of each candidate: a position in `nodes`
};

// Nodes are equal when everything but their names, zones and cordons is: shape and free state.
NodeGroups GroupEqualNodes(std::span<const Node* const> candidates);

// Gives every candidate the score of its group.
void ScoresOfCandidates(const NodeGroups& groups, std::span<const float> group_scores,
                        std::span<float> scores);

}  // namespace berth
