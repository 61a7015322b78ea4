#pragma once

#include <absl/container/btree_map.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "berth/cluster_view.h"

namespace berth {

// How a feeder calls its nodes: each by a number of its own. For one thread at a time.
class NodeNumbers {
 public:
  static constexpr uint32_t kEnd = 100'000;  // above every number

  // The node has the number from now on, and no other. Gives the node that had it before, if that
  // was another. REQUIRES: number < kEnd.
  std::optional<NodeName> Assign(uint32_t number, const NodeName& node);
  // Gives the node that had the number.
  std::optional<NodeName> Release(uint32_t number);

  std::optional<NodeName> NodeOf(uint32_t number) const;

  // The nodes of `view` that have a number, with it, by name.
  std::vector<std::pair<const Node*, uint32_t>> Of(const ClusterView& view) const;

 private:
  std::vector<NodeName> nodes_;  // by number; empty: nobody has it
  absl::btree_map<NodeName, uint32_t> numbers_;
};

}  // namespace berth
