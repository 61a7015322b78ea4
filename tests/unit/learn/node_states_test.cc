#include "learn/node_states.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "support/small_case.h"

namespace berth {
namespace {

Node With(const std::function<void(NodeSpec&, FreeState&)>& change, uint64_t generation) {
  Node node = SmallNode("changed");
  NodeSpec spec = *node.spec;
  change(spec, node.free);
  node.spec = std::make_shared<const NodeSpec>(std::move(spec));
  node.generation = generation;
  node.slot = 1;
  return node;
}

TEST(NodeStates, AreOneWhereStateFeaturesAreTheSame) {
  NodeStates states;
  const uint32_t number = states.NumberOf(SmallNode());
  const std::function<void(NodeSpec&, FreeState&)> changes[] = {
      [](NodeSpec& spec, FreeState&) { spec.zone = "west"; },
      [](NodeSpec& spec, FreeState&) { spec.memory += MiB(1); },
      [](NodeSpec&, FreeState& free) { free.memory -= MiB(1); },
      [](NodeSpec&, FreeState& free) { std::swap(free.gpus.front(), free.gpus.back()); },
  };
  for (size_t i = 0; i < std::size(changes); ++i) {
    EXPECT_EQ(states.NumberOf(With(changes[i], i + 1)), number) << "change " << i;
  }
  EXPECT_EQ(states.size(), 1u);
}

TEST(NodeStates, DifferWhereAStateFeatureMay) {
  NodeStates states;
  states.NumberOf(SmallNode());
  const std::function<void(NodeSpec&, FreeState&)> changes[] = {
      [](NodeSpec& spec, FreeState&) { spec.cpu += MilliCpu(1); },
      [](NodeSpec& spec, FreeState&) { spec.gpus += 1; },
      [](NodeSpec& spec, FreeState&) { spec.model = GpuModel("T4"); },
      [](NodeSpec&, FreeState& free) { free.cpu -= MilliCpu(1); },
      [](NodeSpec&, FreeState& free) { free.gpus[3] = MilliGpu(1); },
      [](NodeSpec&, FreeState& free) { free.gpus.pop_back(); },
  };
  for (size_t i = 0; i < std::size(changes); ++i) {
    EXPECT_EQ(states.NumberOf(With(changes[i], i + 1)), i + 1) << "change " << i;
  }
}

// Generation 0 is like no other, so such a node is looked at each time.
TEST(NodeStates, LooksAgainAtANodeWithoutAGeneration) {
  NodeStates states;
  const auto cpu_less = [](NodeSpec&, FreeState& free) { free.cpu -= MilliCpu(1); };
  const uint32_t first = states.NumberOf(With([](NodeSpec&, FreeState&) {}, 0));
  EXPECT_NE(states.NumberOf(With(cpu_less, 0)), first);
}

}  // namespace
}  // namespace berth
