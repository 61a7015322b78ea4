#include "policy/policy_slot.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "support/fake_scorer.h"
#include "support/served.h"

namespace berth {
namespace {

TEST(PolicySlot, WhoHasAskedKeepsWhatItGot) {
  PolicySlot slot(RoutesTo(ConstantScorer("old", 1)));
  ServedPolicyPtr mine = slot.For({}, {});
  PolicyRoutesPtr before = slot.Swap(RoutesTo(ConstantScorer("new", 2)));
  EXPECT_EQ(mine->name(), "old");
  EXPECT_EQ(slot.For({}, {})->name(), "new");
  EXPECT_EQ(before.use_count(), 2) << "mine and this one: the slot has let go of it";
  mine.reset();
  EXPECT_EQ(before.use_count(), 1) << "so it is not a request that frees a policy";
}

TEST(PolicySlot, ACanaryAnswersWhomItsRuleTakes) {
  PolicyRoutes routes = RoutesTo(ConstantScorer("active", 1));
  routes.canary = {Served(ConstantScorer("canary", 2)), {.namespaces = {"research"}}};
  const PolicySlot slot(std::move(routes));
  EXPECT_EQ(slot.For({.namespace_name = "research"}, {})->name(), "canary");
  EXPECT_EQ(slot.For({.namespace_name = "batch"}, {})->name(), "active");
}

// Many ask while one swaps: everybody gets a policy that is whole.
TEST(PolicySlot, IsSwappedUnderEverybodysHands) {
  PolicySlot slot(RoutesTo(ConstantScorer("0", 0)));
  std::atomic<bool> done = false;
  std::vector<std::jthread> readers;
  for (int i = 0; i < 4; ++i) {
    readers.emplace_back([&] {
      while (!done) {
        float score = -1;
        const ServedPolicyPtr policy = slot.For({}, {});
        const auto answered = policy->scorer->Score(
            {.cluster = nullptr, .demand = Demand(), .candidates = {}}, std::span(&score, 1));
        ASSERT_TRUE(answered.ok());
        EXPECT_EQ(std::to_string(static_cast<int>(score)), policy->name());
      }
    });
  }
  std::vector<PolicyRoutesPtr> retired;
  for (int i = 1; i <= 1000; ++i) {
    retired.push_back(
        slot.Swap(RoutesTo(ConstantScorer(std::to_string(i), static_cast<float>(i)))));
  }
  done = true;
}

}  // namespace
}  // namespace berth
