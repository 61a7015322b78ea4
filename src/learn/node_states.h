#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "berth/node.h"

namespace berth {

// Numbers the states of nodes as far as StateFeatures tell them apart, which is by shape, free CPU
// and what each GPU has free in any order. What is known of a state serves for every node in it,
// and for one that comes back to it. Not thread-safe.
class NodeStates {
 public:
  // From 0, in order of first appearance.
  uint32_t NumberOf(const Node& node);

  size_t size() const { return numbers_.size(); }

 private:
  struct State {
    MilliCpu cpu_of_node;
    int gpus_of_node;
    GpuModel model;
    MilliCpu free_cpu;
    GpuFreeList free_gpus;  // ascending

    bool operator==(const State&) const = default;

    template <class H>
    friend H AbslHashValue(H hash, const State& state) {
      hash = H::combine(std::move(hash), state.cpu_of_node.value(), state.free_cpu.value());
      for (const MilliGpu gpu : state.free_gpus) hash = H::combine(std::move(hash), gpu.value());
      return hash;
    }
  };

  struct Known {
    uint64_t generation = 0;  // of the node, when it was asked about last
    uint32_t number = 0;
  };

  absl::flat_hash_map<State, uint32_t> numbers_;
  std::vector<Known> known_;  // by slot
};

}  // namespace berth
