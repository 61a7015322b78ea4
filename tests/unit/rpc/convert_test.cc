#include "rpc/convert.h"

#include <gtest/gtest.h>

#include <limits>

namespace berth {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

// What arrives at the other end of a connection.
template <class Model>
Model OverTheWire(const Model& model) {
  const auto sent = ToProto(model);
  auto received = sent;
  received.Clear();
  EXPECT_TRUE(received.ParseFromString(sent.SerializeAsString()));
  return FromProto(received);
}

TEST(Convert, NodeFactsLoseNothing) {
  const NodeFacts cases[] = {
      {},
      {.name = "n1.rack-7.example.org",
       .allocatable = {{"cpu", 96'000}, {"memory", kMost}, {"nvidia.com/gpu", 8}, {"odd", -1}},
       .labels = {{"nvidia.com/gpu.product", "NVIDIA-A100-SXM4-80GB"}, {"empty", ""}},
       .annotations = {{"berth.dev/note", "two\nlines and \"quotes\""}},
       .ready = false,
       .unschedulable = true},
      {.name = "cordoned", .unschedulable = true},
      {.name = "not-ready", .ready = false},
  };
  for (const NodeFacts& facts : cases) EXPECT_EQ(OverTheWire(facts), facts) << facts.name;
}

TEST(Convert, PodFactsLoseNothing) {
  const PodFacts cases[] = {
      {},
      {.uid = "0b5c7e7e-0001",
       .namespace_name = "ml",
       .name = "trainer-0",
       .requests = {{"cpu", 500}, {"memory", kMost}, {"berth.dev/gpu-milli", 500}},
       .annotations = {{"berth.dev/gpu-model", "A100|H100"}, {"berth.dev/empty", ""}},
       .priority = -5,
       .owner = "Job/trainer",
       .node_name = "n1",
       .unreadable = "spec.containers[0]: \"1O\" is no quantity"},
  };
  for (const PodFacts& facts : cases) EXPECT_EQ(OverTheWire(facts), facts) << facts.name;
}

TEST(Convert, ExplanationLosesNothing) {
  Explanation full;
  full.demand = {.cpu = MilliCpu(500),
                 .memory = MiB(1024),
                 .gpus = 2,
                 .per_gpu = kWholeGpu,
                 .accounting = GpuAccounting::kManaged,
                 .models = AllowedModels({"A100", "H100"}),
                 .invalid = "why not"};
  full.nodes = {{.node = NodeName("n1"),
                 .feasible = true,
                 .cordoned = true,
                 .score = -0.5F,
                 .gpus = {0, 255},
                 .free = {.cpu = MilliCpu(-1), .memory = MiB(7), .gpus = {MilliGpu(0), kWholeGpu}},
                 .model = GpuModel("A100")},
                {.node = NodeName("n2"), .known = false, .reason = "unknown"}};
  full.policy = "fgd";
  full.cluster_version = std::numeric_limits<uint64_t>::max();
  full.ignored_wish = "\"soon\" is no duration";
  EXPECT_EQ(OverTheWire(full), full);
  EXPECT_EQ(OverTheWire(Explanation()), Explanation());
}

}  // namespace
}  // namespace berth
