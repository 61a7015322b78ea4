#include "stack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace berth {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using ::testing::StartsWith;
using Kind = FakeApiServer::Kind;

json Node(const std::string& name, int gpus) {
  return {{"metadata", {{"name", name}}},
          {"status",
           {{"allocatable",
             {{"cpu", "64"}, {"memory", "256Gi"}, {"nvidia.com/gpu", std::to_string(gpus)}}}}}};
}

json ManagedNode(const std::string& name, int gpus) {
  json node = Node(name, gpus);
  node["status"]["allocatable"].erase("nvidia.com/gpu");
  node["status"]["allocatable"]["berth.dev/gpu-milli"] = std::to_string(1000 * gpus);
  return node;
}

json Pod(const std::string& name, const json& gpu, const std::string& node = "",
         const std::string& resource = "nvidia.com/gpu") {
  json limits;
  limits[resource] = gpu;
  json pod = {{"metadata", {{"name", name}, {"namespace", "ml"}, {"uid", "uid-" + name}}},
              {"spec", {{"containers", {{{"name", "main"}, {"resources", {{"limits", limits}}}}}}}},
              {"status", {{"phase", node.empty() ? "Pending" : "Running"}}}};
  if (!node.empty()) pod["spec"]["nodeName"] = node;
  return pod;
}

json Args(const json& pod, const json& names) {
  return {{"Pod", pod}, {"Nodes", nullptr}, {"NodeNames", names}};
}

class StackTest : public ::testing::Test {
 protected:
  void Put(Kind kind, const json& object) { stack_.api_server().Put(kind, object); }
  FakeApiServer& api_server() { return stack_.api_server(); }

  Stack stack_;
};

TEST_F(StackTest, FromTheListToAPlacementAndBackIntoTheBooks) {
  Put(Kind::kNodes, Node("n1", 8));
  Put(Kind::kNodes, Node("n2", 8));
  Put(Kind::kPods, Pod("running", "2", "n1"));
  Put(Kind::kPods, Pod("big", "6"));
  stack_.Start();

  const json args = Args(Pod("big", "6"), {"n2", "n1"});
  EXPECT_EQ(stack_.Filter(args)["NodeNames"], json({"n2", "n1"}));
  // Best fit: n1 has exactly six GPUs left.
  EXPECT_THAT(stack_.Prioritize(args), ElementsAre(Pair("n1", 10), Pair("n2", 5)));

  EXPECT_EQ(api_server().Bind("ml/big", "n1"), 201);
  stack_.AwaitFreeGpus("n1", 0);
  EXPECT_EQ(stack_.FreeGpus("n2"), 8);
  // n1 is full by the books; whole GPUs are for kube-scheduler to refuse, so it passes and is last.
  const json next = Args(Pod("next", "1"), {"n1", "n2"});
  EXPECT_EQ(stack_.Filter(next)["NodeNames"], json({"n1", "n2"}));
  EXPECT_THAT(stack_.Prioritize(next), ElementsAre(Pair("n1", 0), Pair("n2", 10)));

  api_server().Delete(Kind::kPods, "ml/big");
  stack_.AwaitFreeGpus("n1", 6);
}

TEST_F(StackTest, OnManagedNodesItRefusesWhatFitsInSumButOnNoSingleGpu) {
  Put(Kind::kNodes, ManagedNode("m1", 2));
  Put(Kind::kNodes, ManagedNode("m2", 1));
  for (const std::string name : {"a", "b"}) {
    Put(Kind::kPods, Pod(name, "600", "m1", "berth.dev/gpu-milli"));
  }
  stack_.Start();
  const json reply = stack_.Filter(Args(Pod("c", "500", "", "berth.dev/gpu-milli"), {"m1", "m2"}));
  EXPECT_EQ(reply["NodeNames"], json({"m2"}));
  EXPECT_EQ(reply["FailedNodes"], json({{"m1", "no single GPU has the free share asked for"}}));
  EXPECT_EQ(reply["FailedAndUnresolvableNodes"], json::object());
  const json never = stack_.Filter(Args(Pod("d", "3000", "", "berth.dev/gpu-milli"), {"m1"}));
  EXPECT_EQ(never["FailedAndUnresolvableNodes"],
            json({{"m1", "the node has fewer GPUs than asked for"}}));
}

TEST_F(StackTest, CandidatesInEveryForm) {
  Put(Kind::kNodes, Node("n1", 8));
  Put(Kind::kNodes, Node("n2", 8));
  stack_.Start();
  const json pod = Pod("p", "1");
  EXPECT_EQ(stack_.Filter(Args(pod, json::array()))["NodeNames"], json::array());
  EXPECT_EQ(stack_.Filter(Args(pod, json::array()))["Error"], "");
  EXPECT_NE(stack_.Filter(Args(pod, nullptr))["Error"], "");
  const json whole = {
      {"Pod", pod}, {"Nodes", {{"items", {Node("n1", 8)}}}}, {"NodeNames", nullptr}};
  EXPECT_THAT(stack_.Filter(whole)["Error"].get<std::string>(), HasSubstr("nodeCacheCapable"));
  EXPECT_EQ(stack_.Filter(Args(pod, {"n1", "ghost", "n1"}))["NodeNames"], json({"n1", "ghost"}));
  EXPECT_THAT(stack_.Prioritize(Args(pod, {"ghost", "n1"})),
              ElementsAre(Pair("ghost", 0), Pair("n1", 10)));
  EXPECT_EQ(stack_.Filter({{"pod", pod}, {"nodenames", {"n1"}}})["NodeNames"], json({"n1"}));
}

TEST_F(StackTest, AskingLeavesNoTrace) {
  Put(Kind::kNodes, Node("n1", 8));
  Put(Kind::kNodes, Node("n2", 8));
  stack_.Start();
  const json args = Args(Pod("p", "8"), {"n1", "n2"});
  const std::string filter = stack_.Ask("filter", args)->body;
  const std::string prioritize = stack_.Ask("prioritize", args)->body;
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(stack_.Ask("filter", args)->body, filter);
    ASSERT_EQ(stack_.Ask("prioritize", args)->body, prioritize);
  }
  EXPECT_EQ(stack_.FreeGpus("n1"), 8);
  EXPECT_EQ(stack_.FreeGpus("n2"), 8);
}

TEST_F(StackTest, UntilEverythingIsListedItGivesNoVerdict) {
  Put(Kind::kNodes, Node("n1", 8));
  Put(Kind::kPods, Pod("a", "8", "n1"));
  api_server().AnswerLists(Kind::kPods, FakeApiServer::Answer{.status = 500, .body = "later"});
  stack_.StartService();
  stack_.StartExtender();
  ASSERT_TRUE(api_server().AwaitRequests("GET /api/v1/pods"));
  const json reply = stack_.Filter(Args(Pod("q", "1"), {"n1"}));
  EXPECT_THAT(reply["Error"].get<std::string>(), StartsWith("not synced"));
  EXPECT_EQ(reply["NodeNames"], json::array());
  EXPECT_EQ(reply["FailedNodes"], json::object());
  EXPECT_EQ(stack_.Ask("prioritize", Args(Pod("q", "1"), {"n1"}))->status, 503);
  EXPECT_EQ(stack_.client().Get("/readyz")->status, 503);
  EXPECT_EQ(stack_.client().Get("/healthz")->status, 200);

  api_server().AnswerLists(Kind::kPods, std::nullopt);
  stack_.AwaitReady();
  EXPECT_EQ(stack_.FreeGpus("n1"), 0);
}

TEST_F(StackTest, ARestartBringsBackNoGhosts) {
  Put(Kind::kNodes, Node("n1", 8));
  Put(Kind::kPods, Pod("a", "8", "n1"));
  json back = Pod("back", "8");  // went back to Pending with the notes of its former place
  back["metadata"]["annotations"] = {{"berth.dev/gpu-index", "0,1,2,3,4,5,6,7"},
                                     {"berth.dev/node", "n1"}};
  Put(Kind::kPods, back);
  stack_.Start();
  EXPECT_EQ(stack_.FreeGpus("n1"), 0);

  stack_.StopExtender();
  api_server().Delete(Kind::kPods, "ml/a");  // while nobody watches
  stack_.StartExtender();                    // and the service still has the old picture
  stack_.AwaitReady();
  EXPECT_EQ(stack_.FreeGpus("n1"), 8);

  Put(Kind::kPods, Pod("b", "3", "n1"));
  stack_.StopExtender();
  stack_.StopService();
  stack_.Start();
  EXPECT_EQ(stack_.FreeGpus("n1"), 5);
}

TEST_F(StackTest, AServiceThatRestartsWhileNothingHappensIsFedAgain) {
  Put(Kind::kNodes, Node("n1", 8));
  Put(Kind::kPods, Pod("a", "3", "n1"));
  stack_.Start();
  stack_.StopService();
  const json reply = stack_.Filter(Args(Pod("q", "1"), {"n1"}));
  EXPECT_NE(reply["Error"], "");
  EXPECT_EQ(stack_.Ask("prioritize", Args(Pod("q", "1"), {"n1"}))->status, 503);
  EXPECT_EQ(stack_.client().Get("/readyz")->status, 503);

  stack_.StartService();
  stack_.AwaitReady();
  EXPECT_EQ(stack_.FreeGpus("n1"), 5);
  EXPECT_EQ(stack_.Filter(Args(Pod("q", "1"), {"n1"}))["NodeNames"], json({"n1"}));
}

// An extended resource is a whole number and not negative: such pods are read exactly, whatever the
// notation; others are refused everywhere, in words that quote what was written.
TEST_F(StackTest, QuantitiesAreReadExactlyOrRefused) {
  Put(Kind::kNodes, Node("n2", 2));
  stack_.Start();
  for (const std::string two : {"2", "2000m", "2e0", "0.002k", "+2", "2.0"}) {
    EXPECT_EQ(stack_.Filter(Args(Pod("q", two), {"n2"}))["NodeNames"], json({"n2"})) << two;
  }
  for (const std::string huge : {"1k", "2Gi", "1E", "1Ei", "9223372036854775807"}) {
    const json reply = stack_.Filter(Args(Pod("q", huge), {"n2"}));
    EXPECT_EQ(reply["NodeNames"], json::array()) << huge;
    EXPECT_THAT(reply.dump(), Not(HasSubstr(":-"))) << "a negative number for " << huge;
    EXPECT_EQ(reply["Error"], "") << huge;
  }
  for (const std::string bad :
       {"1500m", "0.5", "50m", "-1", "", " 2", "2 ", "0x2", "1e", "1Zi", "two", "1,5"}) {
    const json reply = stack_.Filter(Args(Pod("q", bad), {"n2"}));
    EXPECT_EQ(reply["NodeNames"], json::array()) << bad;
    const std::string reason = reply["FailedAndUnresolvableNodes"].value("n2", "");
    EXPECT_THAT(reason, HasSubstr("\"" + bad + "\"")) << reply;
    EXPECT_THAT(reason, HasSubstr("main")) << "the container is named";
  }
}

json Container(const std::string& name, const json& gpus) {
  json container = {{"name", name}};
  if (!gpus.is_null()) container["resources"]["limits"]["nvidia.com/gpu"] = gpus;
  return container;
}

// Init containers run one after the other and before the rest; a limit alone is a request too.
TEST_F(StackTest, ThePodNeedsWhatRunsAtOnce) {
  const json names = {"g1", "g2", "g3", "g8"};
  for (const std::string name : names) Put(Kind::kNodes, Node(name, name[1] - '0'));
  stack_.Start();
  const struct {
    json containers, init_containers, passed;
  } cases[] = {
      {json::array({Container("app", nullptr)}), json::array({Container("i", "3")}), {"g3", "g8"}},
      {json::array({Container("app", "1")}),
       json::array({Container("i1", "2"), Container("i2", "2"), Container("i3", "2")}),
       {"g2", "g3", "g8"}},
      {json::array({Container("app", "2")}), json::array(), {"g2", "g3", "g8"}},
      {json::array({Container("x", "1"), Container("y", "2")}), json::array(), {"g3", "g8"}},
  };
  for (const auto& c : cases) {
    json pod = Pod("p", "0");
    pod["spec"]["containers"] = c.containers;
    pod["spec"]["initContainers"] = c.init_containers;
    EXPECT_EQ(stack_.Filter(Args(pod, names))["NodeNames"], c.passed) << pod;
  }
}

// While a resize is under way the node gives the most of what is wanted and what is given; a wish
// that it cannot meet does not count.
TEST_F(StackTest, AResizeInProgressCountsInTheBooks) {
  const auto resizing = [](const std::string& name, const std::string& node, const char* wanted,
                           const char* given) {
    json pod = Pod(name, "0", node);
    pod["spec"]["containers"][0]["resources"] = {{"requests", {{"cpu", wanted}}}};
    pod["status"]["containerStatuses"][0] = {{"name", "main"},
                                             {"allocatedResources", {{"cpu", given}}},
                                             {"resources", {{"requests", {{"cpu", given}}}}}};
    return pod;
  };
  Put(Kind::kNodes, Node("n1", 2));
  Put(Kind::kNodes, Node("n2", 2));
  Put(Kind::kPods, resizing("shrinking", "n1", "2", "60"));
  json infeasible = resizing("infeasible", "n2", "70", "4");
  infeasible["status"]["conditions"][0] = {
      {"type", "PodResizePending"}, {"status", "True"}, {"reason", "Infeasible"}};
  Put(Kind::kPods, infeasible);
  stack_.Start();
  const PodFacts pod{.name = "p", .requests = {{"cpu", 8000}}};
  const std::vector<std::string> nodes = {"n1", "n2"};
  const auto books = Explain(stack_.service(), pod, nodes, std::chrono::seconds(5));
  ASSERT_TRUE(books.ok()) << books.status();
  for (const NodeVerdict& verdict : books->nodes) {
    const bool shrinking = verdict.node.value() == "n1";
    EXPECT_EQ(verdict.free.cpu, MilliCpu(shrinking ? 4000 : 60'000)) << verdict.node.value();
    EXPECT_EQ(verdict.feasible, !shrinking) << verdict.node.value();
  }
}

TEST_F(StackTest, OnlyTerminatedPodsLetGoAndACordonIsNotOurs) {
  Put(Kind::kNodes, Node("n1", 8));
  json cordoned = Node("n2", 8);
  cordoned["spec"]["unschedulable"] = true;
  Put(Kind::kNodes, cordoned);
  json terminating = Pod("terminating", "4", "n1");
  terminating["metadata"]["deletionTimestamp"] = "2030-01-01T00:05:00Z";
  Put(Kind::kPods, terminating);
  for (const std::string phase : {"Failed", "Succeeded"}) {
    json pod = Pod("was-" + phase, "2", "n1");
    pod["status"]["phase"] = phase;
    Put(Kind::kPods, pod);
  }
  stack_.Start();
  EXPECT_EQ(stack_.FreeGpus("n1"), 4);
  // kube-scheduler offered it, so the pod tolerates the cordon.
  EXPECT_EQ(stack_.Filter(Args(Pod("diagnosis", "1"), {"n2"}))["NodeNames"], json({"n2"}));
  api_server().Delete(Kind::kPods, "ml/terminating");
  stack_.AwaitFreeGpus("n1", 8);
}

TEST_F(StackTest, ThousandsOfCandidatesAndNoRequestToTheApiServer) {
  constexpr int kNodes = 5000;
  json names = json::array();
  for (int i = 0; i < kNodes; ++i) {
    const std::string name =
        "n" + std::to_string(i) + ".rack-" + std::to_string(i % 50) + ".example.org";
    names.push_back(name);
    Put(Kind::kNodes, Node(name, 8));
    Put(Kind::kPods, Pod("r" + std::to_string(i), "1", name));
  }
  stack_.Start();
  const size_t requests = api_server().Requests().size();
  EXPECT_EQ(stack_.Filter(Args(Pod("p", "1"), names))["NodeNames"], names);
  const auto scores = stack_.Prioritize(Args(Pod("p", "1"), names));
  std::map<int, int> nodes_by_score;
  for (const auto& [name, score] : scores) ++nodes_by_score[score];
  EXPECT_THAT(nodes_by_score, ElementsAre(Pair(1, kNodes - 8), Pair(2, 4), Pair(3, 1), Pair(4, 1),
                                          Pair(5, 1), Pair(10, 1)));
  EXPECT_EQ(api_server().Requests().size(), requests);

  // A forced resync of everything finishes, too.
  api_server().ReplaceSilently(Kind::kPods, {});
  api_server().ForgetHistory();
  api_server().EndWatches(Kind::kPods);
  stack_.AwaitFreeGpus(names[0], 8);
}

}  // namespace
}  // namespace berth
