#include "decisions/explained_decision.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "policy/heuristics.h"
#include "unit/decisions/decided.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// As best-fit logged it; the heuristic that it is compared with is fgd.
ExplainedDecision Explain(std::vector<Node> nodes, const Demand& demand = SmallShare()) {
  const ClusterViewPtr view = ViewOf(std::move(nodes), SmallProfile());
  const Decision decision = Decide(MakeBestFit(), view, 1, {}, demand);
  return ExplainDecision(RecordOf(decision), *MakeFgd()).value();
}

TEST(ExplainDecision, SaysWhatTheChoiceDidToItsNode) {
  // GPU 2, which best-fit takes, adds 75 milli-GPU; GPU 1, which fgd takes, frees 75
  // (small_case.h).
  const ExplainedDecision explained = Explain({SmallNode("a")});
  EXPECT_EQ(explained.after.gpus[2], MilliGpu(200));
  EXPECT_EQ(explained.after.cpu, MilliCpu(12'000));
  EXPECT_DOUBLE_EQ(explained.choice.added_fragmentation, 75);
  EXPECT_EQ(explained.heuristic.in_class, 0u);
  EXPECT_THAT(explained.heuristic.gpus, ElementsAre(1));
  EXPECT_DOUBLE_EQ(explained.heuristic.added_fragmentation, -75);
  EXPECT_FALSE(explained.runner_up.has_value());
}

// A node that best-fit likes less, since more of its CPU is free.
Node Roomy(const std::string& name) { return NodeWithCpu(name, 30'000); }

TEST(ExplainDecision, SaysWhatTheRunnerUpLacked) {
  struct Case {
    std::string want;
    Node other;
    Demand demand;
  };
  Node unused = Roomy("b");
  unused.free.gpus = {MilliGpu(0), MilliGpu(1000), MilliGpu(0), MilliGpu(0)};
  Node other_model = Roomy("b");
  NodeSpec spec = *other_model.spec;
  spec.model = GpuModel("G3");
  other_model.spec = std::make_shared<const NodeSpec>(spec);
  const Case cases[] = {
      {"broken into a GPU that nobody uses", unused, SmallShare()},
      {"of another model: G3, not G2", other_model, SmallShare()},
      {"the score alone decided", Roomy("b"), SmallShare()},
  };
  for (const Case& c : cases) {
    const ExplainedDecision explained = Explain({SmallNode("a"), c.other}, c.demand);
    ASSERT_TRUE(explained.runner_up.has_value()) << c.want;
    EXPECT_THAT(explained.runner_up->lacking, ElementsAre(HasSubstr(c.want)));
  }
}

TEST(ExplainDecision, CountsFragmentationAgainstTheRunnerUp) {
  Node other = Roomy("b");
  other.free.gpus = {MilliGpu(0), MilliGpu(0), MilliGpu(500), MilliGpu(0)};
  Node chosen = SmallNode("a");
  chosen.free.gpus = {MilliGpu(300), MilliGpu(0), MilliGpu(0), MilliGpu(0)};
  const ExplainedDecision explained = Explain({chosen, other});
  EXPECT_DOUBLE_EQ(explained.choice.added_fragmentation, -300) << "none of it was of use before";
  ASSERT_TRUE(explained.runner_up.has_value());
  EXPECT_GT(explained.runner_up->added_fragmentation, -300);
  EXPECT_THAT(explained.runner_up->lacking, ElementsAre(HasSubstr("would have become useless")));
}

}  // namespace
}  // namespace berth
