#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "berth/node.h"
#include "berth/pod.h"

namespace berth {

// Which nodes could take which demands if they were empty of others' GPUs (CheckStatic), worked out
// once: it compares names of GPU models, which takes longer than all else about a fit.
class StaticFit {
 public:
  StaticFit(std::span<const Node> nodes, std::span<const Demand> demands);

  bool Holds(size_t node, size_t demand) const {
    return holds_[demand * kinds_ + kind_of_node_[node]] != 0;
  }

 private:
  size_t kinds_ = 0;  // of nodes
  std::vector<uint32_t> kind_of_node_;
  std::vector<uint8_t> holds_;  // a row of kinds for each demand
};

}  // namespace berth
