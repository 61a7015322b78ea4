#include "sim/mix_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "sim/openb_nodes.h"

namespace berth {
namespace {

using testing::HasSubstr;

WorkloadProfilePtr Profile(const std::vector<ClassCount>& classes) {
  return std::make_shared<const WorkloadProfile>("a-mix", classes);
}

const PodClass kShare{
    .cpu = MilliCpu(4'000), .per_gpu = MilliGpu(500), .gpus = 1, .models = AllowedModels({"T4"})};
const PodClass kPlain{.cpu = MilliCpu(1'000)};

TEST(MixTrace, HasAsManyPodsOfEachClassAsTheProfileCounts) {
  const Trace trace =
      MixTrace(OpenbNodes(GpuAccounting::kManaged), Profile({{kShare, 3}, {kPlain, 2}})).value();
  EXPECT_EQ(trace.nodes.size(), 1'213u);
  std::map<PodClass, int> counts;
  std::map<std::string, int> names;
  for (const TracePod& pod : trace.pods) {
    ++counts[ClassOf(pod.demand)];
    ++names[pod.name];
    EXPECT_EQ(pod.demand.accounting,
              pod.demand.gpus > 0 ? GpuAccounting::kManaged : GpuAccounting::kNone);
  }
  EXPECT_EQ(counts, (std::map<PodClass, int>{{kShare, 3}, {kPlain, 2}}));
  EXPECT_EQ(names.size(), 5u);
}

TEST(MixTrace, RefusesNodesWithoutGpus) {
  const NodeSpec plain{.name = NodeName("plain"), .cpu = MilliCpu(8'000)};
  for (const std::vector<NodeSpec>& nodes : {std::vector<NodeSpec>{}, {plain}}) {
    const Result<Trace> trace = MixTrace(nodes, Profile({{kShare, 3}}));
    ASSERT_FALSE(trace.ok());
    EXPECT_THAT(std::string(trace.status().message()), HasSubstr("none of the nodes has GPUs"));
  }
}

TEST(MixTrace, RefusesWhatNobodyCouldPlay) {
  struct Case {
    std::vector<ClassCount> classes;
    std::string want;
  };
  const Case cases[] = {
      {{{kShare, 1'000'001}}, "counts more than 1000000 pods"},
      {{{kShare, 600'000}, {kPlain, 600'000}}, "counts more than 1000000 pods"},
      {{{kPlain, 5}}, "no pod asks for a GPU"},
      {{{kPlain, 5}, {kShare, 0}}, "no pod asks for a GPU"},
      {{}, "no pod asks for a GPU"},
  };
  for (const Case& c : cases) {
    const Result<Trace> trace = MixTrace(OpenbNodes(GpuAccounting::kManaged), Profile(c.classes));
    ASSERT_FALSE(trace.ok()) << c.want;
    EXPECT_THAT(std::string(trace.status().message()), HasSubstr(c.want));
  }
}

}  // namespace
}  // namespace berth
