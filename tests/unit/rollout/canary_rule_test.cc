#include "policy/canary_rule.h"

#include <gtest/gtest.h>

#include <string>

#include "support/small_case.h"

namespace berth {
namespace {

DecidedPod PodOf(const std::string& owner, const std::string& name = "p") {
  return {.namespace_name = "ml", .name = name, .uid = "uid-" + name, .owner = owner};
}

int Taken(const CanaryRule& rule, int owners) {
  int taken = 0;
  for (int i = 0; i < owners; ++i)
    taken += rule.Takes(PodOf("Job/" + std::to_string(i)), {}) ? 1 : 0;
  return taken;
}

TEST(CanaryRule, TakesAboutAsManyOwnersAsItSays) {
  EXPECT_EQ(Taken({}, 10'000), 0);
  EXPECT_NEAR(Taken({.percent = 1}, 10'000), 100, 40);
  EXPECT_NEAR(Taken({.percent = 10}, 10'000), 1'000, 120);
  EXPECT_NEAR(Taken({.percent = 50}, 10'000), 5'000, 200);
  EXPECT_EQ(Taken({.percent = 100}, 10'000), 10'000);
}

TEST(CanaryRule, AllPodsOfAnOwnerHaveOnePolicy) {
  const CanaryRule half{.percent = 50};
  for (int owner = 0; owner < 100; ++owner) {
    const std::string job = "Job/" + std::to_string(owner);
    const bool first = half.Takes(PodOf(job, "p0"), {});
    for (const char* pod : {"p1", "p2", "p3"}) EXPECT_EQ(half.Takes(PodOf(job, pod), {}), first);
  }
}

TEST(CanaryRule, ALargerShareLeavesNobodyOut) {
  for (int i = 0; i < 1000; ++i) {
    const DecidedPod pod = PodOf("Job/" + std::to_string(i));
    bool taken = false;
    for (int percent = 1; percent <= 100; ++percent) {
      const bool now = CanaryRule{.percent = percent}.Takes(pod, {});
      EXPECT_TRUE(now || !taken) << i << " at " << percent;
      taken = now;
    }
  }
}

// Replicas, and versions of the program, must agree: these owners were worked out once.
TEST(CanaryRule, IsTheSameEverywhere) {
  const auto least_percent = [](const DecidedPod& pod) {
    int percent = 1;
    while (!CanaryRule{.percent = percent}.Takes(pod, {})) ++percent;
    return percent;
  };
  EXPECT_EQ(least_percent(PodOf("Job/train")), 25);
  EXPECT_EQ(least_percent(PodOf("ReplicaSet/llm-7d4f")), 6);
  EXPECT_EQ(least_percent(PodOf("", "alone")), 38) << "a pod without owner counts as its own";
}

TEST(CanaryRule, TakesNamespacesWhole) {
  const CanaryRule rule{.namespaces = {"research", "ml"}};
  EXPECT_TRUE(rule.Takes(PodOf("Job/a"), {}));
  EXPECT_FALSE(rule.Takes({.namespace_name = "mlops"}, {}));
}

TEST(CanaryRule, TakesPodsThatOnlyNodesOfItsPoolsCanTake) {
  const auto node_in = [](const std::string& pool) {
    Node node = SmallNode("n");
    NodeSpec spec = *node.spec;
    spec.pool = pool;
    node.spec = std::make_shared<const NodeSpec>(std::move(spec));
    return node;
  };
  const Node a100 = node_in("a100"), h100 = node_in("h100"), none = node_in("");
  const CanaryRule rule{.pools = {"a100", "h100"}};
  using Nodes = std::vector<const Node*>;
  EXPECT_TRUE(rule.Takes({}, Nodes{&a100}));
  EXPECT_TRUE(rule.Takes({}, Nodes{&a100, &h100, nullptr}));
  EXPECT_FALSE(rule.Takes({}, Nodes{&a100, &none}));
  EXPECT_FALSE(rule.Takes({}, Nodes{nullptr}));
  EXPECT_FALSE(rule.Takes({}, Nodes{}));
}

}  // namespace
}  // namespace berth
