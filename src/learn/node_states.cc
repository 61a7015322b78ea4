#include "learn/node_states.h"

#include <algorithm>
#include <utility>

namespace berth {

uint32_t NodeStates::NumberOf(const Node& node) {
  if (node.slot >= known_.size()) known_.resize(node.slot + 1);
  Known& known = known_[node.slot];
  // A node of generation 0 is like no other (berth/node.h).
  if (known.generation == node.generation && node.generation != 0) return known.number;
  State state{node.spec->cpu, node.spec->gpus, node.spec->model, node.free.cpu, node.free.gpus};
  std::ranges::sort(state.free_gpus);
  const auto number = static_cast<uint32_t>(numbers_.size());
  known = {node.generation, numbers_.try_emplace(std::move(state), number).first->second};
  return known.number;
}

}  // namespace berth
