#include "facts/limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace berth {
namespace {

constexpr size_t kQuarterMiB = 256 * 1024;

std::map<std::string, std::string> Texts(int count, const std::string& value = "") {
  std::map<std::string, std::string> texts;
  for (int i = 0; i < count; ++i) texts["key-" + std::to_string(i)] = value;
  return texts;
}

ResourceFacts Amounts(int count, const std::string& prefix = "") {
  ResourceFacts amounts;
  for (int i = 0; i < count; ++i) amounts[prefix + std::to_string(i)] = 1;
  return amounts;
}

TEST(Limits, WhatKubernetesTakesIsWithinThem) {
  const std::string name(253, 'n');
  EXPECT_TRUE(CheckLimits(NodeFacts{.name = name,
                                    .allocatable = Amounts(1000),
                                    .labels = Texts(1000),
                                    .annotations = {{"k", std::string(kQuarterMiB - 1, 'x')}}})
                  .ok());
  EXPECT_TRUE(CheckLimits(PodFacts{.uid = name,
                                   .namespace_name = name,
                                   .name = name,
                                   .requests = Amounts(1000),
                                   .annotations = {{"k", std::string(kQuarterMiB - 1, 'x')}},
                                   .owner = "ReplicaSet/" + name,
                                   .node_name = name})
                  .ok());
}

TEST(Limits, OfNodesNameTheFieldThatIsTooLarge) {
  struct Case {
    std::function<void(NodeFacts&)> change;
    const char* want;
  };
  const Case cases[] = {
      {[](auto& n) { n.name = std::string(254, 'n'); }, "node.name: has 254 bytes, may have 253"},
      {[](auto& n) { n.labels = Texts(1001); }, "node.labels: has 1001 entries, may have 1000"},
      {[](auto& n) {
         n.labels = {{"k", std::string(kQuarterMiB, 'x')}};
       },
       "node.labels: has 262145 bytes, may have 262144"},
      {[](auto& n) {
         n.annotations = {{std::string(kQuarterMiB + 1, 'k'), ""}};
       },
       "node.annotations: has 262145 bytes, may have 262144"},
      {[](auto& n) { n.allocatable = Amounts(1001); },
       "node.allocatable: has 1001 entries, may have 1000"},
      {[](auto& n) { n.allocatable = Amounts(1, std::string(kQuarterMiB, 'r')); },
       "node.allocatable: has 262145 bytes, may have 262144"},
  };
  for (const Case& c : cases) {
    NodeFacts node{.name = "n1"};
    c.change(node);
    EXPECT_EQ(CheckLimits(node).code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(CheckLimits(node).message(), c.want);
  }
}

TEST(Limits, OfPodsNameTheFieldThatIsTooLarge) {
  const std::string long_name(254, 'n');
  struct Case {
    std::function<void(PodFacts&)> change;
    const char* want;
  };
  const Case cases[] = {
      {[&](auto& p) { p.uid = long_name; }, "pod.uid: has 254 bytes, may have 253"},
      {[&](auto& p) { p.namespace_name = long_name; },
       "pod.namespace: has 254 bytes, may have 253"},
      {[&](auto& p) { p.name = long_name; }, "pod.name: has 254 bytes, may have 253"},
      {[&](auto& p) { p.node_name = long_name; }, "pod.node_name: has 254 bytes, may have 253"},
      {[](auto& p) { p.requests = Amounts(1001); },
       "pod.requests: has 1001 entries, may have 1000"},
      {[](auto& p) { p.annotations = Texts(1001); },
       "pod.annotations: has 1001 entries, may have 1000"},
      {[](auto& p) { p.annotations = Texts(2, std::string(kQuarterMiB / 2, 'x')); },
       "pod.annotations: has 262154 bytes, may have 262144"},
      {[](auto& p) { p.owner = std::string(kQuarterMiB + 1, 'x'); },
       "pod.owner: has 262145 bytes, may have 262144"},
      {[](auto& p) { p.unreadable = std::string(kQuarterMiB + 1, 'x'); },
       "pod.unreadable: has 262145 bytes, may have 262144"},
  };
  for (const Case& c : cases) {
    PodFacts pod{.uid = "u", .name = "p"};
    c.change(pod);
    EXPECT_EQ(CheckLimits(pod).code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(CheckLimits(pod).message(), c.want);
  }
}

}  // namespace
}  // namespace berth
