#include "kube/object_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "kube/json_fields.h"

namespace berth {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

json Container(const std::string& name, json requests, json limits = nullptr) {
  return {{"name", name}, {"resources", {{"requests", requests}, {"limits", limits}}}};
}

json Sidecar(const std::string& name, json requests) {
  json container = Container(name, std::move(requests));
  container["restartPolicy"] = "Always";
  return container;
}

json PodOf(json containers, json init_containers = nullptr) {
  return {{"metadata", {{"uid", "u1"}, {"namespace", "ml"}, {"name", "trainer-0"}}},
          {"spec", {{"containers", containers}, {"initContainers", init_containers}}}};
}

PodFacts FactsOf(const json& pod) {
  const Result<PodFacts> facts = PodFactsFrom(pod);
  EXPECT_TRUE(facts.ok()) << facts.status();
  return facts.value_or(PodFacts{});
}

ResourceFacts RequestsOf(const json& pod) {
  const PodFacts facts = FactsOf(pod);
  EXPECT_THAT(facts.unreadable, IsEmpty());
  return facts.requests;
}

constexpr const char* kGpu = "nvidia.com/gpu";

TEST(PodFacts, ReadsEveryField) {
  const json pod = json::parse(R"({
    "metadata": {
      "uid": "u1", "namespace": "ml", "name": "trainer-0",
      "labels": {"app": "trainer"},
      "annotations": {"berth.dev/gpu-model": "A100|H100", "other.example/x": "y"},
      "ownerReferences": [{"kind": "Cron", "name": "daily"},
                          {"kind": "Job", "name": "trainer", "controller": true}]},
    "spec": {"nodeName": "n1", "priority": -10,
             "containers": [{"name": "c", "resources": {"requests":
               {"cpu": "1500m", "memory": "1Gi", "nvidia.com/gpu": "2", "ephemeral-storage": 5}}}]},
    "status": {"phase": "Running"}})");
  const PodFacts want = {.uid = "u1",
                         .namespace_name = "ml",
                         .name = "trainer-0",
                         .requests = {{"cpu", 1500},
                                      {"memory", 1 << 30},
                                      {"nvidia.com/gpu", 2},
                                      {"ephemeral-storage", 5}},
                         .annotations = {{"berth.dev/gpu-model", "A100|H100"}},
                         .priority = -10,
                         .owner = "Job/trainer",
                         .node_name = "n1"};
  EXPECT_EQ(FactsOf(pod), want);
}

TEST(PodFacts, NullsAndMissingFieldsAreEmpty) {
  const json pod = json::parse(R"({
    "metadata": {"uid": "u1", "name": "p", "namespace": null, "annotations": null,
                 "ownerReferences": null},
    "spec": {"nodeName": null, "priority": null, "containers": null, "initContainers": null,
             "overhead": null, "resources": null},
    "status": null})");
  EXPECT_EQ(FactsOf(pod), (PodFacts{.uid = "u1", .name = "p"}));
}

// The worked examples of RS-01: init containers run one after another, before the others.
TEST(PodRequests, TheLargestInitContainerOrTheSumOfContainers) {
  const auto ask = [](int count) { return json{{kGpu, std::to_string(count)}}; };
  struct Case {
    json containers, init_containers;
    int64_t gpus;
  };
  const Case cases[] = {
      {{Container("app", nullptr)}, {Container("i", ask(3))}, 3},
      {{Container("app", ask(1))},
       {Container("i1", ask(2)), Container("i2", ask(2)), Container("i3", ask(2))},
       2},
      {{Container("app", nullptr, ask(2))}, nullptr, 2},
      {{Container("x", ask(1)), Container("y", ask(2))}, nullptr, 3},
      {{Container("x", ask(1)), Container("y", ask(2))}, {Container("i", ask(3))}, 3},
      {{Container("x", ask(1), ask(4))}, nullptr, 1},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(RequestsOf(PodOf(c.containers, c.init_containers)),
                ElementsAre(Pair(kGpu, c.gpus)));
  }
}

// KEP-753: init container i runs beside the sidecars before it; the containers beside all of them.
TEST(PodRequests, SidecarsRunBesideWhatComesAfterThem) {
  const auto cpu = [](int cores) { return json{{"cpu", cores}}; };
  struct Case {
    json init_containers;
    int64_t cores;  // with one container of 4
  };
  const Case cases[] = {
      {{Sidecar("s", cpu(1))}, 5},
      {{Sidecar("s", cpu(1)), Container("i", cpu(3))}, 5},
      {{Sidecar("s", cpu(1)), Container("i", cpu(5))}, 6},
      {{Container("i", cpu(5)), Sidecar("s", cpu(1))}, 5},
      {{Container("i", cpu(7)), Sidecar("s", cpu(1))}, 7},
      {{Sidecar("s", cpu(1)), Container("i", cpu(6)), Sidecar("t", cpu(2))}, 7},
      {{Sidecar("s", cpu(1)), Sidecar("t", cpu(2)), Container("i", cpu(6))}, 9},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(RequestsOf(PodOf({Container("app", cpu(4))}, c.init_containers)),
                ElementsAre(Pair("cpu", c.cores * 1000)))
        << c.init_containers;
  }
}

// The worked example of RS-03.
TEST(PodRequests, PodLevelRequestsReplaceTheSumAndOverheadComesOnTop) {
  json pod = PodOf({Container("x", {{"cpu", "1"}, {kGpu, "1"}}), Container("y", {{"cpu", "1"}})});
  pod["spec"]["resources"] = {
      {"requests", {{"cpu", "8"}, {"memory", "16Gi"}, {"hugepages-2Mi", "1Gi"}, {kGpu, "5"}}},
      {"limits", {{"hugepages-2Mi", "1Gi"}}}};
  pod["spec"]["overhead"] = {{"cpu", "250m"}};
  EXPECT_THAT(RequestsOf(pod), ElementsAre(Pair("cpu", 8250), Pair("hugepages-2Mi", 1 << 30),
                                           Pair("memory", int64_t{16} << 30), Pair(kGpu, 1)));
}

TEST(PodRequests, APodLevelLimitIsARequestWhereNoContainerAsks) {
  json pod = PodOf({Container("x", {{"cpu", "1"}})});
  pod["spec"]["resources"] = {{"limits", {{"cpu", "8"}, {"memory", "1Gi"}}}};
  EXPECT_THAT(RequestsOf(pod), ElementsAre(Pair("cpu", 1000), Pair("memory", 1 << 30)));
}

json StatusOf(const std::string& name, json allocated, json actual) {
  return {{"name", name}, {"allocatedResources", allocated}, {"resources", {{"requests", actual}}}};
}

// The worked examples of RS-03: "shrinking" and "infeasible", and what lies around them.
TEST(PodRequests, AResizeInProgressCountsTheMostOfWantedAllocatedAndActual) {
  struct Case {
    int wanted, allocated, actual;
    const char* pending;  // reason of condition PodResizePending
    int64_t cores;
  };
  const Case cases[] = {
      {2, 8, 8, nullptr, 8},       {8, 2, 2, nullptr, 8},      {2, 2, 8, nullptr, 8},
      {16, 4, 4, "Infeasible", 4}, {16, 4, 4, "Deferred", 16}, {2, 4, 8, "Infeasible", 8},
  };
  for (const Case& c : cases) {
    json pod = PodOf({Container("c", {{"cpu", c.wanted}})});
    pod["status"]["containerStatuses"] = {
        StatusOf("c", {{"cpu", c.allocated}}, {{"cpu", c.actual}})};
    if (c.pending != nullptr) {
      pod["status"]["conditions"] = {{{"type", "Ready"}, {"status", "True"}},
                                     {{"type", "PodResizePending"}, {"reason", c.pending}}};
    }
    EXPECT_THAT(RequestsOf(pod), ElementsAre(Pair("cpu", c.cores * 1000))) << pod;
  }
}

TEST(PodRequests, AStatusWithoutResourcesSaysNothing) {
  json pod = PodOf({Container("c", {{"cpu", "2"}})});
  pod["status"]["containerStatuses"] = {{{"name", "c"}, {"allocatedResources", {{"cpu", "8"}}}},
                                        StatusOf("unknown", {{"cpu", "9"}}, {{"cpu", "9"}})};
  EXPECT_THAT(RequestsOf(pod), ElementsAre(Pair("cpu", 2000)));
}

TEST(PodRequests, SidecarsAreResizedButOtherInitContainersAreNot) {
  json pod = PodOf({Container("c", {{"cpu", 1}})},
                   {Sidecar("s", {{"cpu", 1}}), Container("i", {{"cpu", 1}})});
  pod["status"]["initContainerStatuses"] = {StatusOf("s", {{"cpu", 3}}, {{"cpu", 3}}),
                                            StatusOf("i", {{"cpu", 9}}, {{"cpu", 9}})};
  EXPECT_THAT(RequestsOf(pod), ElementsAre(Pair("cpu", 4000)));
}

TEST(PodRequests, APodLevelResizeCountsTheMostAsWell) {
  json pod = PodOf({Container("c", {{"cpu", 1}})});
  pod["spec"]["resources"] = {{"requests", {{"cpu", 2}}}};
  pod["status"]["resources"] = {{"requests", {{"cpu", 6}, {"memory", "1Gi"}}}};
  pod["status"]["allocatedResources"] = {{"cpu", 4}};
  EXPECT_THAT(RequestsOf(pod), ElementsAre(Pair("cpu", 6000)));
}

TEST(PodRequests, SumsSaturate) {
  const json huge = {{kGpu, "9223372036854775807"}, {"cpu", "1Ei"}};
  EXPECT_THAT(RequestsOf(PodOf({Container("a", huge), Container("b", huge)})),
              ElementsAre(Pair("cpu", kMax), Pair(kGpu, kMax)));
}

// RS-04: the string is quoted, with container and resource, and nothing is rounded.
TEST(PodRequests, WhatCannotBeReadIsQuoted) {
  struct Case {
    json amount;
    std::string complaint;
  };
  const Case cases[] = {
      {"1500m", "\"1500m\" is not a whole number of at least 0"},
      {"0.5", "\"0.5\" is not a whole number of at least 0"},
      {"50m", "\"50m\" is not a whole number of at least 0"},
      {"-1", "\"-1\" is not a whole number of at least 0"},
      {"", "\"\" is not a quantity such as"},
      {" 2", "\" 2\" is not a quantity such as"},
      {"2 ", "\"2 \" is not a quantity such as"},
      {"0x2", "\"0x2\" is not a quantity such as"},
      {"1e", "\"1e\" is not a quantity such as"},
      {"1Zi", "\"1Zi\" is not a quantity such as"},
      {"two", "\"two\" is not a quantity such as"},
      {"1,5", "\"1,5\" is not a quantity such as"},
      {1.5, "\"1.5\" is not a whole number of at least 0"},
      {json::array(), "array is not a quantity such as"},
      {nullptr, "null is not a quantity such as"},
  };
  for (const Case& c : cases) {
    for (const json& container : {Container("c", {{kGpu, c.amount}, {"cpu", "1"}}),
                                  Container("c", nullptr, {{kGpu, c.amount}, {"cpu", "1"}})}) {
      const PodFacts facts = FactsOf(PodOf({Container("a", {{"cpu", "1"}}), container}));
      EXPECT_THAT(facts.unreadable, HasSubstr("container \"c\": nvidia.com/gpu: " + c.complaint));
      EXPECT_EQ(facts.requests.at("cpu"), 2000);  // the rest still counts
    }
  }
}

TEST(PodRequests, ReadsGoodCounts) {
  const json good[] = {"2", "2000m", "2e0", "0.002k", "+2", "2.0", 2, 2.0};
  for (const json& amount : good) {
    EXPECT_EQ(RequestsOf(PodOf({Container("c", {{kGpu, amount}})})).at(kGpu), 2) << amount;
  }
}

TEST(PodRequests, NothingIsNegative) {
  const PodFacts facts = FactsOf(PodOf({Container("c", {{"memory", "-1Gi"}})}));
  EXPECT_EQ(facts.unreadable,
            "container \"c\": memory: \"-1Gi\" is negative; an amount is at least 0");
  EXPECT_EQ(facts.requests.at("memory"), 0);
}

TEST(PodRequests, SaysWhereElseSomethingIsWrong) {
  json pod = PodOf({Container("c", nullptr)});
  pod["spec"]["overhead"] = {{"cpu", "x"}};
  EXPECT_THAT(FactsOf(pod).unreadable, HasSubstr("overhead: cpu: \"x\""));
  pod["spec"]["resources"] = {{"requests", {{"cpu", "y"}}}};
  EXPECT_THAT(FactsOf(pod).unreadable, HasSubstr("pod: cpu: \"y\""));
}

TEST(PodFacts, RefusesWhatIsNoPod) {
  struct Case {
    const char* pod;
    const char* error;
  };
  const Case cases[] = {
      {R"(null)", "pod without metadata.name"},
      {R"([])", "it is array, not an object"},
      {R"("pod")", "it is string, not an object"},
      {R"({})", "pod without metadata.name"},
      {R"({"metadata": {"name": "p"}})", "pod without metadata.uid"},
      {R"({"metadata": {"uid": "u"}})", "pod without metadata.name"},
      {R"({"metadata": []})", "metadata is array, not an object"},
      {R"({"metadata": {"name": 5, "uid": "u"}})", "metadata.name is number, not text"},
      {R"({"metadata": {"name": "p", "uid": "u", "annotations": {"berth.dev/x": 5}}})",
       "metadata.annotations.berth.dev/x is number, not text"},
      {R"({"metadata": {"name": "p", "uid": "u", "ownerReferences": {}}})",
       "metadata.ownerReferences is object, not an array"},
      {R"({"metadata": {"name": "p", "uid": "u", "ownerReferences": [{"controller": "yes"}]}})",
       "metadata.ownerReferences[0].controller is string, not true or false"},
      {R"({"metadata": {"name": "p", "uid": "u"}, "spec": {"priority": 2147483648}})",
       "spec.priority is number, not an integer of 32 bits"},
      {R"({"metadata": {"name": "p", "uid": "u"}, "spec": {"priority": 1e30}})",
       "spec.priority is number, not an integer of 32 bits"},
      {R"({"metadata": {"name": "p", "uid": "u"}, "spec": {"priority": 18446744073709551615}})",
       "spec.priority is number, not an integer of 32 bits"},
      {R"({"metadata": {"name": "p", "uid": "u"}, "spec": {"containers": [{}, 7]}})",
       "spec.containers[1] is number, not an object"},
      {R"({"metadata": {"name": "p", "uid": "u"},
           "spec": {"containers": [{"resources": {"requests": "2"}}]}})",
       "spec.containers[0].resources.requests is string, not an object"},
      {R"({"metadata": {"name": "p", "uid": "u"}, "spec": {"nodeName": {}}})",
       "spec.nodeName is object, not text"},
  };
  for (const Case& c : cases) {
    const Result<PodFacts> facts = PodFactsFrom(json::parse(c.pod));
    EXPECT_EQ(facts.status().code(), absl::StatusCode::kInvalidArgument) << c.pod;
    EXPECT_EQ(facts.status().message(), c.error);
  }
}

// RS-07: only a terminal phase frees what a pod holds; being deleted does not.
TEST(PodFacts, OnlySucceededAndFailedHaveTerminated) {
  json pod = PodOf(nullptr);
  pod["metadata"]["deletionTimestamp"] = "2026-11-01T00:05:00Z";
  EXPECT_FALSE(HasTerminated(pod));
  for (const char* phase : {"", "Pending", "Running", "Unknown", "succeeded"}) {
    pod["status"] = {{"phase", phase}};
    EXPECT_FALSE(HasTerminated(pod)) << phase;
  }
  for (const char* phase : {"Succeeded", "Failed"}) {
    pod["status"] = {{"phase", phase}};
    EXPECT_TRUE(HasTerminated(pod)) << phase;
  }
  for (const json& odd : {json(nullptr), json(5), json{{"status", 5}}}) {
    EXPECT_FALSE(HasTerminated(odd)) << odd;
  }
}

TEST(NodeFacts, ReadsEveryField) {
  const json node = json::parse(R"({
    "metadata": {
      "name": "n1",
      "labels": {"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-80GB", "kubernetes.io/os": "linux"},
      "annotations": {"berth.dev/x": "y", "node.alpha.kubernetes.io/ttl": "0"}},
    "spec": {"unschedulable": true},
    "status": {
      "allocatable": {"cpu": "95500m", "memory": "1056Mi", "nvidia.com/gpu": "8", "pods": "110"},
      "capacity": {"cpu": "96"},
      "conditions": [{"type": "MemoryPressure", "status": "False"},
                     {"type": "Ready", "status": "Unknown"}]}})");
  const NodeFacts want = {.name = "n1",
                          .allocatable = {{"cpu", 95500},
                                          {"memory", int64_t{1056} << 20},
                                          {"nvidia.com/gpu", 8},
                                          {"pods", 110}},
                          .labels = {{"nvidia.com/gpu.product", "NVIDIA-A100-SXM4-80GB"}},
                          .annotations = {{"berth.dev/x", "y"}},
                          .ready = false,
                          .unschedulable = true};
  const Result<NodeFacts> facts = NodeFactsFrom(node);
  ASSERT_TRUE(facts.ok()) << facts.status();
  EXPECT_EQ(*facts, want);
}

TEST(NodeFacts, ReadyUnlessTheConditionSaysOtherwise) {
  const auto ready = [](const char* status) {
    const json node = {{"metadata", {{"name", "n"}}},
                       {"status", {{"conditions", {{{"type", "Ready"}, {"status", status}}}}}}};
    return NodeFactsFrom(node)->ready;
  };
  EXPECT_TRUE(ready("True"));
  EXPECT_FALSE(ready("False"));
  EXPECT_FALSE(ready("Unknown"));
  EXPECT_TRUE(NodeFactsFrom(json{{"metadata", {{"name", "n"}}}})->ready);
}

TEST(NodeFacts, AnAmountThatCannotBeReadIsNone) {
  for (const json& amount : {json("two"), json("-1"), json("1.5"), json::array(), json(nullptr)}) {
    const json node = {{"metadata", {{"name", "n"}}},
                       {"status", {{"allocatable", {{"cpu", "4"}, {kGpu, amount}}}}}};
    EXPECT_THAT(NodeFactsFrom(node)->allocatable, ElementsAre(Pair("cpu", 4000))) << amount;
  }
}

TEST(NodeFacts, RefusesWhatIsNoNode) {
  EXPECT_EQ(NodeFactsFrom(json::object()).status().message(), "node without metadata.name");
  EXPECT_EQ(
      NodeFactsFrom(json::parse(R"({"metadata": {"name": "n"}, "spec": 5})")).status().message(),
      "spec is number, not an object");
  EXPECT_EQ(NodeFactsFrom(json::parse(R"({"metadata": {"name": "n"},
                                           "status": {"allocatable": [1]}})"))
                .status()
                .message(),
            "status.allocatable is array, not an object");
}

TEST(ParseJson, RefusesWhatIsBrokenOrTooDeepWithoutThrowing) {
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("{} {}"), std::string("{\"a\": \"\xc3\x28\"}"),
        std::string(100'000, '['), std::string("{\"a\":").append(std::string(101, '[')),
        std::string(1, '\0')}) {
    const Result<json> parsed = ParseJson(text);
    EXPECT_EQ(parsed.status().code(), absl::StatusCode::kInvalidArgument);
  }
  std::string deep;
  for (int i = 0; i < 50'000; ++i) deep += "{\"a\":[";
  EXPECT_THAT(ParseJson(deep).status().message(), HasSubstr("nested deeper than 100 levels"));
  EXPECT_TRUE(ParseJson(std::string(100, '[') + std::string(100, ']')).ok());
}

TEST(ParseJson, DropsManagedFields) {
  const Result<json> parsed =
      ParseJson(R"({"metadata": {"name": "n", "managedFields": [{"f": {"a": 1}}]}, "x": "é"})");
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(*parsed, json::parse(R"({"metadata": {"name": "n"}, "x": "é"})"));
}

}  // namespace
}  // namespace berth
