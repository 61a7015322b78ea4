#include "policy/policy_slot.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "support/fake_scorer.h"

namespace berth {
namespace {

TEST(PolicySlot, WhoHasAskedKeepsWhatItGot) {
  PolicySlot slot(ConstantScorer("old", 1));
  const ScorerPtr mine = slot.Get();
  ScorerPtr before = slot.Swap(ConstantScorer("new", 2));
  EXPECT_EQ(before, mine);
  EXPECT_EQ(mine->name(), "old");
  EXPECT_EQ(slot.Get()->name(), "new");
  EXPECT_EQ(before.use_count(), 2) << "the slot has let go of it";
}

// Many ask while one swaps: everybody gets a policy that is whole.
TEST(PolicySlot, IsSwappedUnderEverybodysHands) {
  PolicySlot slot(ConstantScorer("0", 0));
  std::atomic<bool> done = false;
  std::vector<std::jthread> readers;
  for (int i = 0; i < 4; ++i) {
    readers.emplace_back([&] {
      while (!done) {
        float score = -1;
        const ScorerPtr policy = slot.Get();
        const auto answered = policy->Score(
            {.cluster = nullptr, .demand = Demand(), .candidates = {}}, std::span(&score, 1));
        ASSERT_TRUE(answered.ok());
        EXPECT_EQ(std::to_string(static_cast<int>(score)), answered->policy);
      }
    });
  }
  std::vector<ScorerPtr> retired;
  for (int i = 1; i <= 1000; ++i) {
    retired.push_back(slot.Swap(ConstantScorer(std::to_string(i), static_cast<float>(i))));
  }
  done = true;
}

}  // namespace
}  // namespace berth
