#include "policy/node_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "support/random_placements.h"
#include "support/small_case.h"

namespace berth {
namespace {

using ::testing::ElementsAre;

Node Changed(const std::function<void(NodeSpec&, FreeState&)>& change) {
  Node node = SmallNode("changed");
  NodeSpec spec = *node.spec;
  change(spec, node.free);
  node.spec = std::make_shared<const NodeSpec>(std::move(spec));
  return node;
}

TEST(GroupEqualNodes, PutsTogetherWhatDiffersInNameOnly) {
  const Node a = SmallNode("a");
  const Node b = Changed([](NodeSpec& spec, FreeState&) { spec.zone = "west"; });
  const Node c = Changed([](NodeSpec&, FreeState& free) { free.cpu += MilliCpu(1); });
  const Node* const candidates[] = {&a, &c, &b, &a};
  const NodeGroups groups = GroupEqualNodes(candidates);
  EXPECT_THAT(groups.nodes, ElementsAre(&a, &c));
  EXPECT_THAT(groups.group_of, ElementsAre(0, 1, 0, 0));
}

TEST(GroupEqualNodes, KeepsApartWhatAPolicyCanTellApart) {
  const std::function<void(NodeSpec&, FreeState&)> changes[] = {
      [](NodeSpec& spec, FreeState&) { spec.cpu += MilliCpu(1); },
      [](NodeSpec& spec, FreeState&) { spec.memory += MiB(1); },
      [](NodeSpec& spec, FreeState&) { spec.gpus += 1; },
      [](NodeSpec& spec, FreeState&) { spec.model = GpuModel("T4"); },
      [](NodeSpec& spec, FreeState&) { spec.gpu_memory = MiB(16'384); },
      [](NodeSpec& spec, FreeState&) { spec.accounting = GpuAccounting::kObserved; },
      [](NodeSpec&, FreeState& free) { free.cpu -= MilliCpu(1); },
      [](NodeSpec&, FreeState& free) { free.memory -= MiB(1); },
      [](NodeSpec&, FreeState& free) { free.gpus[3] = MilliGpu(1); },
      [](NodeSpec&, FreeState& free) { std::swap(free.gpus[0], free.gpus[1]); },
      [](NodeSpec&, FreeState& free) { free.gpus.pop_back(); },
  };
  const Node same = SmallNode();
  for (size_t i = 0; i < std::size(changes); ++i) {
    const Node changed = Changed(changes[i]);
    const Node* const candidates[] = {&same, &changed};
    EXPECT_EQ(GroupEqualNodes(candidates).nodes.size(), 2u) << "change " << i;
  }
}

TEST(GroupEqualNodes, GivesEachCandidateTheScoreOfItsGroup) {
  const NodeGroups groups{.nodes = {nullptr, nullptr}, .group_of = {1, 0, 1}};
  std::vector<float> scores(3);
  ScoresOfCandidates(groups, std::vector<float>{10, 20}, scores);
  EXPECT_THAT(scores, ElementsAre(20, 10, 20));
}

TEST(GroupEqualNodes, OfNothingIsNothing) {
  EXPECT_TRUE(GroupEqualNodes({}).nodes.empty());
  EXPECT_TRUE(GroupEqualNodes({}).group_of.empty());
}

}  // namespace
}  // namespace berth
