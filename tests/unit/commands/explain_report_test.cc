#include "apps/berth/explain_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace berth {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const PodFacts kPod{.namespace_name = "ml", .name = "trainer-0"};

NodeVerdict Feasible(const std::string& name, float score) {
  return {.node = NodeName(name),
          .feasible = true,
          .score = score,
          .gpus = {0, 3},
          .free = {.cpu = MilliCpu(61'500),
                   .memory = MiB(4096),
                   .gpus = {kWholeGpu, MilliGpu(0), MilliGpu(500), kWholeGpu}},
          .model = GpuModel("A100")};
}

NodeVerdict Refused(const std::string& name, const std::string& reason) {
  return {.node = NodeName(name), .reason = reason};
}

Explanation TwoGpus() {
  Explanation explanation;
  explanation.demand = {.cpu = MilliCpu(8000),
                        .memory = MiB(1024),
                        .gpus = 2,
                        .per_gpu = kWholeGpu,
                        .accounting = GpuAccounting::kObserved,
                        .models = AllowedModels({"A100", "H100"})};
  explanation.policy = "fgd";
  return explanation;
}

TEST(ExplainTable, ReadsLikeThis) {
  Explanation explanation = TwoGpus();
  explanation.nodes = {Feasible("a-node-with-a-name", 1.25F), Feasible("b", -10.5F),
                       Refused("c", "too small"), Refused("d", "too full"),
                       Refused("e", "too full")};
  explanation.nodes[1].cordoned = true;
  EXPECT_EQ(ExplainTable(kPod, explanation),
            R"(pod ml/trainer-0 asks for 2 whole GPUs (A100 or H100), 8 CPU, 1024 MiB

RANK  NODE                  SCORE  GPUS  FREE, OR WHY NOT
1     a-node-with-a-name    1.250  0,3   2.5 of 4 GPUs (A100), 61.5 CPU, 4096 MiB free
2     b                   -10.500  0,3   2.5 of 4 GPUs (A100), 61.5 CPU, 4096 MiB free; cordoned or not ready, so kube-scheduler leaves it out
-     c                         -  -     too small
-     d                         -  -     too full
-     e                         -  -     too full

2 of 5 nodes can take the pod (1 of them cordoned or not ready), ranked by fgd; refused:
  2 nodes: too full
  1 node: too small
Berth looks at GPUs, CPU and memory; taints, affinity, volumes and other resources, such as huge pages, are for kube-scheduler to check.
)");
}

TEST(ExplainTable, ShowsTwentyNodesAndCountsTheRest) {
  Explanation explanation = TwoGpus();
  for (int i = 0; i < 25; ++i) explanation.nodes.push_back(Feasible("n" + std::to_string(i), 0));
  const std::string table = ExplainTable(kPod, explanation);
  EXPECT_THAT(table, HasSubstr("\n20    n19"));
  EXPECT_THAT(table, Not(HasSubstr("n20 ")));
  EXPECT_THAT(table, HasSubstr("... and 5 more\n"));
  EXPECT_THAT(table, HasSubstr("25 of 25 nodes can take the pod, ranked by fgd\n"));
}

TEST(ExplainTable, SaysHowTheDemandIsUnderstood) {
  struct Case {
    Demand demand;
    std::string want;
  };
  const Case cases[] = {
      {{.cpu = MilliCpu(250), .memory = MiB(64)}, "no GPU, 0.25 CPU, 64 MiB"},
      {{.gpus = 1, .per_gpu = kWholeGpu, .accounting = GpuAccounting::kObserved},
       "1 whole GPU, 0 CPU, 0 MiB"},
      {{.gpus = 1, .per_gpu = MilliGpu(50), .accounting = GpuAccounting::kManaged},
       "0.05 of one GPU that Berth hands out, 0 CPU, 0 MiB"},
      {{.gpus = 4, .per_gpu = kWholeGpu, .accounting = GpuAccounting::kManaged},
       "4 whole GPUs that Berth hands out, 0 CPU, 0 MiB"},
      {{.invalid = "1500 is neither"}, "which no node can give: 1500 is neither\n"},
  };
  for (const Case& c : cases) {
    Explanation explanation;
    explanation.demand = c.demand;
    EXPECT_THAT(ExplainTable(kPod, explanation), HasSubstr(c.want));
  }
}

TEST(ExplainTable, MentionsWishesThatWerePassedOver) {
  Explanation explanation;
  explanation.ignored_wish = "\"soon\" is no duration";
  EXPECT_THAT(ExplainTable(kPod, explanation), HasSubstr("passed over: \"soon\" is no duration\n"));
}

TEST(ExplainJson, HoldsEverything) {
  Explanation explanation = TwoGpus();
  explanation.cluster_version = 7;
  explanation.nodes = {Feasible("b", -10.5F), Refused("c", "too small")};
  EXPECT_EQ(ExplainJson(explanation), nlohmann::json::parse(R"({
    "demand": {"cpuMilli": 8000, "memoryMiB": 1024, "gpus": 2, "milliPerGpu": 1000,
               "managed": false, "models": ["A100", "H100"], "invalid": ""},
    "ignoredWish": "", "policy": "fgd", "clusterVersion": 7,
    "nodes": [
      {"node": "b", "known": true, "feasible": true, "cordoned": false, "reason": "",
       "score": -10.5, "gpus": [0, 3], "freeCpuMilli": 61500, "freeMemoryMiB": 4096,
       "freeGpuMilli": [1000, 0, 500, 1000], "model": "A100"},
      {"node": "c", "known": true, "feasible": false, "cordoned": false, "reason": "too small",
       "gpus": [], "freeCpuMilli": 0, "freeMemoryMiB": 0, "freeGpuMilli": [], "model": ""}]})"));
}

}  // namespace
}  // namespace berth
