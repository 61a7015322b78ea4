#include "facts/interpret.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kGiB = int64_t{1} << 30;

NodeFacts NodeWith(ResourceFacts allocatable) {
  return {.name = "n1", .allocatable = std::move(allocatable)};
}

PodFacts PodWith(ResourceFacts requests, std::map<std::string, std::string> annotations = {}) {
  return {.uid = "u1",
          .namespace_name = "ml",
          .name = "trainer-0",
          .requests = std::move(requests),
          .annotations = std::move(annotations)};
}

Demand DemandOf(ResourceFacts requests, std::map<std::string, std::string> annotations = {}) {
  return InterpretPod(PodWith(std::move(requests), std::move(annotations))).demand;
}

TEST(InterpretNode, ReadsAnObservedNode) {
  NodeFacts facts = NodeWith({{"cpu", 95'500}, {"memory", 512 * kGiB + 1}, {"nvidia.com/gpu", 8}});
  facts.labels = {{"nvidia.com/gpu.product", "NVIDIA-A100-SXM4-80GB"},
                  {"nvidia.com/gpu.memory", "81920"},
                  {"topology.kubernetes.io/zone", "z1"}};
  const NodeSpec want = {.name = NodeName("n1"),
                         .cpu = MilliCpu(95'500),
                         .memory = MiB(512 * 1024),
                         .gpus = 8,
                         .model = GpuModel("NVIDIA-A100-SXM4-80GB"),
                         .gpu_memory = MiB(81920),
                         .accounting = GpuAccounting::kObserved,
                         .zone = "z1"};
  EXPECT_EQ(InterpretNode(facts), want);
}

TEST(InterpretNode, ANodeWithoutGpusHasNoModelEither) {
  NodeFacts facts = NodeWith({{"cpu", 4000}, {"memory", kGiB}});
  facts.labels = {{"nvidia.com/gpu.product", "Tesla-T4"}, {"nvidia.com/gpu.memory", "16384"}};
  const NodeSpec want = {.name = NodeName("n1"), .cpu = MilliCpu(4000), .memory = MiB(1024)};
  EXPECT_EQ(InterpretNode(facts), want);
}

TEST(InterpretNode, CountsEachGpuOnce) {
  struct Case {
    ResourceFacts allocatable;
    int gpus;
    GpuAccounting accounting;
  };
  const Case cases[] = {
      {{{"nvidia.com/gpu", 8}}, 8, GpuAccounting::kObserved},
      {{{"berth.dev/gpu-milli", 8000}}, 8, GpuAccounting::kManaged},
      {{{"berth.dev/gpu-milli", 4000}, {"nvidia.com/gpu", 8}}, 4, GpuAccounting::kManaged},
      {{{"berth.dev/gpu-milli", 0}, {"nvidia.com/gpu", 8}}, 8, GpuAccounting::kObserved},
      {{{"berth.dev/gpu-milli", 2500}}, 2, GpuAccounting::kManaged},
      {{{"berth.dev/gpu-milli", 999}}, 0, GpuAccounting::kNone},
      {{{"nvidia.com/gpu", -1}}, 0, GpuAccounting::kNone},
      {{{"berth.dev/gpu-milli", kMin}}, 0, GpuAccounting::kNone},
      {{{"nvidia.com/gpu", kMax}}, 256, GpuAccounting::kObserved},
      {{{"berth.dev/gpu-milli", kMax}}, 256, GpuAccounting::kManaged},
  };
  for (const Case& c : cases) {
    const NodeSpec spec = InterpretNode(NodeWith(c.allocatable));
    EXPECT_EQ(spec.gpus, c.gpus) << testing::PrintToString(c.allocatable);
    EXPECT_EQ(spec.accounting, c.accounting) << testing::PrintToString(c.allocatable);
  }
}

TEST(InterpretNode, AnUnreadableGpuMemoryIsUnknown) {
  for (const std::string label : {"", "80GB", "-1", " 81920", "1e5", "99999999999999999999"}) {
    NodeFacts facts = NodeWith({{"nvidia.com/gpu", 1}});
    facts.labels = {{"nvidia.com/gpu.memory", label}};
    EXPECT_EQ(InterpretNode(facts).gpu_memory, MiB(0)) << label;
  }
}

TEST(InterpretNode, NegativeAllocatableIsNone) {
  const NodeSpec spec = InterpretNode(NodeWith({{"cpu", kMin}, {"memory", kMin}}));
  EXPECT_EQ(spec.cpu, MilliCpu(0));
  EXPECT_EQ(spec.memory, MiB(0));
}

TEST(InterpretNode, CordonedWhenUnschedulableOrNotReady) {
  for (const bool ready : {true, false}) {
    for (const bool unschedulable : {true, false}) {
      NodeFacts facts = NodeWith({});
      facts.ready = ready;
      facts.unschedulable = unschedulable;
      EXPECT_EQ(InterpretNode(facts).cordoned, unschedulable || !ready);
    }
  }
}

TEST(InterpretPod, ReadsWhoItIs) {
  PodFacts facts = PodWith({{"cpu", 250}, {"memory", 100}});
  facts.priority = -7;
  facts.node_name = "n1";
  const Pod pod = InterpretPod(facts);
  EXPECT_EQ(pod.uid, PodUid("u1"));
  EXPECT_EQ(pod.name, "ml/trainer-0");
  EXPECT_EQ(pod.node, NodeName("n1"));
  EXPECT_EQ(pod.priority, -7);
  EXPECT_EQ(pod.expected_duration, std::nullopt);
  EXPECT_EQ(pod.demand, (Demand{.cpu = MilliCpu(250), .memory = MiB(1)}));
  EXPECT_EQ(InterpretPod(PodWith({})).node, std::nullopt);
}

TEST(InterpretPod, MemoryRoundsUpToMiB) {
  EXPECT_EQ(DemandOf({{"memory", 0}}).memory, MiB(0));
  EXPECT_EQ(DemandOf({{"memory", 1}}).memory, MiB(1));
  EXPECT_EQ(DemandOf({{"memory", 1 << 20}}).memory, MiB(1));
  EXPECT_EQ(DemandOf({{"memory", (1 << 20) + 1}}).memory, MiB(2));
  EXPECT_EQ(DemandOf({{"memory", kMax}}).memory, MiB(int64_t{1} << 43));
}

TEST(InterpretPod, ReadsWholeGpusAndShares) {
  struct Case {
    ResourceFacts requests;
    int gpus;
    int64_t per_gpu;
    GpuAccounting accounting;
  };
  constexpr int kMostGpus = std::numeric_limits<int>::max();
  const Case cases[] = {
      {{}, 0, 0, GpuAccounting::kNone},
      {{{"nvidia.com/gpu", 0}, {"berth.dev/gpu-milli", 0}}, 0, 0, GpuAccounting::kNone},
      {{{"nvidia.com/gpu", 1}}, 1, 1000, GpuAccounting::kObserved},
      {{{"nvidia.com/gpu", 8}, {"berth.dev/gpu-milli", 0}}, 8, 1000, GpuAccounting::kObserved},
      {{{"berth.dev/gpu-milli", 1}}, 1, 1, GpuAccounting::kManaged},
      {{{"berth.dev/gpu-milli", 500}}, 1, 500, GpuAccounting::kManaged},
      {{{"berth.dev/gpu-milli", 1000}}, 1, 1000, GpuAccounting::kManaged},
      {{{"berth.dev/gpu-milli", 4000}}, 4, 1000, GpuAccounting::kManaged},
      {{{"nvidia.com/gpu", kMax}}, kMostGpus, 1000, GpuAccounting::kObserved},
      {{{"berth.dev/gpu-milli", kMax - kMax % 1000}}, kMostGpus, 1000, GpuAccounting::kManaged},
  };
  for (const Case& c : cases) {
    const Demand demand = DemandOf(c.requests);
    SCOPED_TRACE(testing::PrintToString(c.requests));
    EXPECT_EQ(demand.gpus, c.gpus);
    EXPECT_EQ(demand.per_gpu, MilliGpu(c.per_gpu));
    EXPECT_EQ(demand.accounting, c.accounting);
    EXPECT_THAT(demand.invalid, IsEmpty());
    EXPECT_GE(demand.TotalGpu(), MilliGpu(0));
  }
}

TEST(InterpretPod, SaysWhatIsWrongWithARequestAndWhatIsRight) {
  struct Case {
    ResourceFacts requests;
    std::string invalid;
  };
  const Case cases[] = {
      {{{"berth.dev/gpu-milli", 1500}},
       "berth.dev/gpu-milli: 1500 is neither a share of one GPU (1 to 1000) nor whole GPUs (a "
       "multiple of 1000)"},
      {{{"nvidia.com/gpu", 1}, {"berth.dev/gpu-milli", 500}},
       "both nvidia.com/gpu and berth.dev/gpu-milli are requested; a node offers one of them, so "
       "request only one"},
      {{{"nvidia.com/gpu", -1}}, "nvidia.com/gpu: -1 is negative; a request is at least 0"},
      {{{"berth.dev/gpu-milli", kMin}},
       "berth.dev/gpu-milli: -9223372036854775808 is negative; a request is at least 0"},
      {{{"cpu", -5}, {"memory", -6}},
       "cpu: -5 is negative; a request is at least 0; memory: -6 is negative; a request is at "
       "least 0"},
  };
  for (const Case& c : cases) {
    const Demand demand = DemandOf(c.requests);
    EXPECT_EQ(demand.invalid, c.invalid);
    EXPECT_EQ(demand.gpus, 0);
    EXPECT_GE(demand.cpu, MilliCpu(0));
  }
}

TEST(InterpretPod, WhatTheFeederCouldNotReadIsInvalidToo) {
  PodFacts facts = PodWith({{"cpu", 1000}});
  facts.unreadable = "container \"c\": nvidia.com/gpu: \"two\" is not a quantity";
  EXPECT_EQ(InterpretPod(facts).demand.invalid, facts.unreadable);
  EXPECT_EQ(InterpretPod(facts).demand.cpu, MilliCpu(1000));
}

TEST(InterpretPod, HugeRequestsAddUpWithoutOverflow) {
  const Demand demand = DemandOf({{"cpu", kMax}, {"memory", kMax}, {"nvidia.com/gpu", kMax}});
  EXPECT_THAT(demand.invalid, IsEmpty());
  constexpr int64_t kPods = 100'000;
  EXPECT_GT((demand.cpu * kPods).value() / kPods, 0);  // UBSan stops here on overflow
  EXPECT_GT((demand.memory * kPods).value() / kPods, 0);
  EXPECT_GT((demand.TotalGpu() * kPods).value() / kPods, 0);
}

TEST(InterpretPod, ReadsTheModelsThatItAccepts) {
  const auto models = [](const std::string& text) {
    return DemandOf({{"nvidia.com/gpu", 1}}, {{"berth.dev/gpu-model", text}});
  };
  EXPECT_THAT(models("A100").models.alternatives(), ElementsAre("A100"));
  EXPECT_THAT(models(" H100 |A100 ").models.alternatives(), ElementsAre("A100", "H100"));
  EXPECT_THAT(models("RTX 6000|L4").models.alternatives(), ElementsAre("L4", "RTX 6000"));
  EXPECT_TRUE(DemandOf({{"nvidia.com/gpu", 1}}).models.AllowsAny());
}

TEST(InterpretPod, RefusesAnEmptyModelAlternative) {
  for (const std::string text :
       {"", " ", "|", "A100|", "|A100", "A100||H100", "A100| |H100", "-", "A100|_- ", "\t"}) {
    const Demand demand = DemandOf({{"nvidia.com/gpu", 1}}, {{"berth.dev/gpu-model", text}});
    EXPECT_THAT(demand.invalid, HasSubstr("berth.dev/gpu-model: \"")) << text;
    EXPECT_THAT(demand.invalid, HasSubstr("has an empty alternative; write models such as"));
  }
}

TEST(InterpretPod, ModelsMeanNothingWithoutGpus) {
  const Demand demand = DemandOf({{"cpu", 1000}}, {{"berth.dev/gpu-model", "|"}});
  EXPECT_EQ(demand, (Demand{.cpu = MilliCpu(1000)}));
}

TEST(InterpretPod, ReadsTheExpectedDuration) {
  const PodFacts facts = PodWith({}, {{"berth.dev/expected-duration", " 1h30m "}});
  EXPECT_EQ(InterpretPod(facts).expected_duration, Seconds(5400));
  EXPECT_THAT(IgnoredWish(facts), IsEmpty());
  EXPECT_THAT(IgnoredWish(PodWith({})), IsEmpty());
}

TEST(InterpretPod, AnUnreadableExpectedDurationDoesNotKeepThePodFromRunning) {
  const PodFacts facts =
      PodWith({{"nvidia.com/gpu", 1}}, {{"berth.dev/expected-duration", "two days"}});
  const Pod pod = InterpretPod(facts);
  EXPECT_THAT(pod.demand.invalid, IsEmpty());
  EXPECT_EQ(pod.expected_duration, std::nullopt);
  EXPECT_EQ(IgnoredWish(facts),
            "berth.dev/expected-duration: \"two days\" is not a duration such as 90m, 1h30m, 45s "
            "or 5400 (seconds)");
}

TEST(Relevant, OnlyWhatIsRead) {
  EXPECT_TRUE(IsRelevantLabel("nvidia.com/gpu.product"));
  EXPECT_TRUE(IsRelevantLabel("nvidia.com/gpu.memory"));
  EXPECT_TRUE(IsRelevantLabel("topology.kubernetes.io/zone"));
  EXPECT_FALSE(IsRelevantLabel("kubernetes.io/hostname"));
  EXPECT_TRUE(IsRelevantAnnotation("berth.dev/gpu-model"));
  EXPECT_FALSE(IsRelevantAnnotation("berth.development/x"));
  EXPECT_FALSE(IsRelevantAnnotation("kubectl.kubernetes.io/last-applied-configuration"));
}

}  // namespace
}  // namespace berth
