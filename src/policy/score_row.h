#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "berth/node.h"

namespace berth {

// What is remembered about one question: the score of each node, by its slot, as long as the node
// is in the state that was scored. Scorer promises that nothing else about the cluster moves a
// score.
class ScoreRow {
 public:
  ScoreRow() = default;  // grows as slots come up
  explicit ScoreRow(size_t slots) { Grow(slots); }

  // Whether the node was scored in this state. Never for a node without a generation.
  bool Knows(const Node& node) const {
    return node.slot < generations_.size() && node.generation != 0 &&
           generations_[node.slot] == node.generation;
  }

  // In place of what is known about the slot.
  void Set(const Node& node, float score) {
    if (node.slot >= generations_.size()) Grow(node.slot + 1);
    generations_[node.slot] = node.generation;
    scores_[node.slot] = score;
  }

  // By slot; 0 for a slot never set.
  std::span<const float> scores() const { return scores_; }

 private:
  void Grow(size_t slots) {
    generations_.resize(slots);
    scores_.resize(slots);
  }

  std::vector<uint64_t> generations_;  // 0: never set
  std::vector<float> scores_;
};

}  // namespace berth
