// The programs `berth serve` and `berth-extender` together, under what no cluster should do to them
// and at the size that large ones have.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <chrono>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "demo/berth_processes.h"
#include "demo/objects.h"
#include "rpc/explain_client.h"
#include "support/fake_api_server.h"

namespace berth {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;
using Kind = FakeApiServer::Kind;

json Node(const std::string& name, int gpus) {
  return NodeObject({.name = NodeName(name),
                     .cpu = MilliCpu(64'000),
                     .memory = MiB(262'144),
                     .gpus = gpus,
                     .model = GpuModel("A100"),
                     .accounting = GpuAccounting::kManaged});
}

json PodOn(const std::string& name, std::optional<NodeName> node) {
  return PodObject({.uid = PodUid("uid-" + name),
                    .name = "ml/" + name,
                    .demand = {.cpu = MilliCpu(1000),
                               .memory = MiB(1024),
                               .gpus = 1,
                               .per_gpu = kWholeGpu,
                               .accounting = GpuAccounting::kManaged},
                    .node = std::move(node)});
}

std::string Body(const json& names) {
  return json{{"Pod", PodOn("p", std::nullopt)}, {"Nodes", nullptr}, {"NodeNames", names}}.dump();
}

// The most memory that a process has had so far, in MiB.
int64_t PeakMiB(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stoll(line.substr(6)) / 1024;
  }
  return -1;
}

// json::accept also checks UTF-8; so a text is valid when it can be part of a JSON string.
bool IsUtf8(const std::string& text) {
  try {
    return !json(text).dump().empty();
  } catch (const json::exception&) {
    return false;
  }
}

class RunningBerth : public ::testing::Test {
 protected:
  void Start() {
    auto started = BerthProcesses::Start(BERTH_BIN_DIR, "fgd", api_server_.url());
    ASSERT_TRUE(started.ok()) << started.status();
    berth_ = *std::move(started);
    client_ = std::make_unique<httplib::Client>("127.0.0.1", berth_->extender_port());
    client_->set_keep_alive(true);
    client_->set_tcp_nodelay(true);
  }

  httplib::Result Post(const std::string& verb, const std::string& body) {
    return client_->Post("/" + verb, body, "application/json");
  }

  int FreeGpus(const std::string& node) {
    PodFacts nobody;
    nobody.name = "nobody";
    const std::vector<std::string> nodes = {node};
    const auto books = Explain(berth_->service(), nobody, nodes, std::chrono::seconds(10));
    return books.ok() ? books->nodes.at(0).free.WholeGpus() : -1;
  }

  FakeApiServer api_server_;
  std::unique_ptr<BerthProcesses> berth_;
  std::unique_ptr<httplib::Client> client_;
};

TEST_F(RunningBerth, HostileRequestsGetAnAnswerAndTakeNoMemory) {
  api_server_.Put(Kind::kNodes, Node("n1", 8));
  Start();
  const std::string good = Body({"n1"});
  ASSERT_EQ(Post("filter", good)->status, 200);
  const int64_t before = PeakMiB(berth_->extender_pid());
  ASSERT_GT(before, 0);
  std::string deep = good;
  deep.insert(deep.find("\"spec\":{") + 8,
              "\"x\":" + std::string(100'000, '[') + std::string(100'000, ']') + ",");
  std::string broken = good;
  broken.replace(broken.find("\"n1\""), 4, "\"n1\xc3\x28\"");
  std::string surrogate = good;
  surrogate.replace(surrogate.find("\"p\""), 3, "\"p\\ud800\"");
  const std::pair<std::string, int> cases[] = {
      {deep, 400},
      {broken, 400},
      {surrogate, 400},
      {good.substr(0, good.size() / 2), 400},
      {good + std::string(200 << 20, ' '), 413},
      {good + std::string(30 << 20, ' '), 200},
  };
  for (const auto& [body, status] : cases) {
    SCOPED_TRACE(body.substr(0, 300));
    const auto answer = Post("filter", body);
    ASSERT_TRUE(answer) << answer.error();
    EXPECT_EQ(answer->status, status);
    EXPECT_TRUE(IsUtf8(answer->body));
    EXPECT_EQ(Post("filter", good)->status, 200);
  }
  const auto bomb = client_->Post("/filter", {{"Content-Encoding", "gzip"}},
                                  "\x1f\x8b\x08" + std::string(1 << 20, '\0'), "application/json");
  ASSERT_TRUE(bomb) << bomb.error();
  EXPECT_EQ(bomb->status, 415);
  EXPECT_LT(PeakMiB(berth_->extender_pid()) - before, 200);
  EXPECT_TRUE(IsUtf8(berth_->Logs()));
  EXPECT_THAT(berth_->Logs(), HasSubstr("berth-extender"));
}

// Node names are long, as in clouds, and so are messages between the two programs.
TEST_F(RunningBerth, FiveThousandNodesAndTwentyThousandPods) {
  constexpr int kNodes = 5000, kPods = 20'000;
  json names = json::array();
  for (int i = 0; i < kNodes; ++i) {
    names.push_back("n" + std::to_string(i) + ".rack-" + std::to_string(i % 50) + "." +
                    std::string(150, 'x') + ".example.org");
    api_server_.Put(Kind::kNodes, Node(names.back(), 8));
  }
  const auto put_pods = [&](int pods_per_node) {
    for (int i = 0; i < kNodes * pods_per_node; ++i) {
      const std::string node = names[i % kNodes];
      api_server_.Put(Kind::kPods, PodOn("r" + std::to_string(i), NodeName(node)));
    }
  };
  put_pods(kPods / kNodes);
  Start();
  EXPECT_EQ(FreeGpus(names[0]), 4);

  const size_t requests = api_server_.Requests().size();
  const auto filtered = Post("filter", Body(names));
  ASSERT_TRUE(filtered) << filtered.error();
  EXPECT_EQ(json::parse(filtered->body)["NodeNames"], names);
  std::map<int, int> nodes_by_score;
  const auto ranked = Post("prioritize", Body(names));
  ASSERT_TRUE(ranked) << ranked.error();
  for (const json& entry : json::parse(ranked->body)) ++nodes_by_score[entry["Score"]];
  EXPECT_THAT(nodes_by_score, ElementsAre(Pair(1, kNodes - 8), Pair(2, 4), Pair(3, 1), Pair(4, 1),
                                          Pair(5, 1), Pair(10, 1)));
  EXPECT_EQ(api_server_.Requests().size(), requests) << "a verb asked the API server";

  // A forced resync of everything, from which one pod is missing.
  api_server_.Delete(Kind::kPods, "ml/r0");
  api_server_.ForgetHistory();
  for (const Kind kind : {Kind::kNodes, Kind::kPods}) api_server_.EndWatches(kind);
  EXPECT_TRUE(api_server_.AwaitRequests("pods?watch=true", 2));
  int free = -1;
  for (int attempt = 0; attempt < 5000 && free != 5; ++attempt) free = FreeGpus(names[0]);
  EXPECT_EQ(free, 5);
  EXPECT_THAT(berth_->Logs(), Not(HasSubstr("RESOURCE_EXHAUSTED")));
}

}  // namespace
}  // namespace berth
