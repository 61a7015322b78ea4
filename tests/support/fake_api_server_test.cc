#include "support/fake_api_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <future>
#include <string>
#include <thread>
#include <vector>

namespace berth {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = FakeApiServer::Kind;

json Named(const std::string& name) { return {{"metadata", {{"name", name}}}}; }

json WithPhase(json pod, const std::string& phase) {
  pod["status"]["phase"] = phase;
  return pod;
}

json GetJson(const FakeApiServer& server, const std::string& path) {
  const httplib::Result result = httplib::Client(server.url()).Get(path);
  EXPECT_TRUE(result) << to_string(result.error());
  return result ? json::parse(result->body) : json();
}

std::vector<std::string> Names(const json& list) {
  std::vector<std::string> names;
  for (const json& item : list["items"]) names.push_back(item["metadata"]["name"]);
  return names;
}

// A watch of its own thread, from construction until the server ends it.
class Watch {
 public:
  Watch(FakeApiServer& server, Kind kind, const std::string& query)
      : earlier_(server.Watches(kind)), thread_([url = server.url(), kind, query, this] {
          httplib::Client client(url);
          const std::string path = kind == Kind::kNodes ? "/api/v1/nodes" : "/api/v1/pods";
          const httplib::Result result =
              client.Get(path + "?watch=true&" + query, [this](const char* data, size_t size) {
                bytes_.append(data, size);
                chunks_.emplace_back(data, size);
                return true;
              });
          clean_ = static_cast<bool>(result);
        }) {
    EXPECT_TRUE(server.AwaitWatches(kind, earlier_ + 1));
  }

  // Waits for the end.
  const std::string& bytes() { return Join(), bytes_; }
  const std::vector<std::string>& chunks() { return Join(), chunks_; }
  bool clean() { return Join(), clean_; }

  std::vector<std::string> Types() {
    std::vector<std::string> types;
    std::istringstream lines(bytes());
    for (std::string line; std::getline(lines, line);) types.push_back(json::parse(line)["type"]);
    return types;
  }

 private:
  void Join() {
    if (thread_.joinable()) thread_.join();
  }

  const int earlier_;
  std::string bytes_;
  std::vector<std::string> chunks_;
  bool clean_ = false;
  std::jthread thread_;
};

TEST(FakeApiServer, ListsInPages) {
  FakeApiServer server;
  for (const char* name : {"c", "a", "b", "d", "e"}) server.Put(Kind::kPods, Named(name));
  EXPECT_THAT(Names(GetJson(server, "/api/v1/pods")), ElementsAre("a", "b", "c", "d", "e"));
  const json first = GetJson(server, "/api/v1/pods?limit=2");
  EXPECT_THAT(Names(first), ElementsAre("a", "b"));
  const std::string token = first["metadata"]["continue"];
  const std::string next =
      "/api/v1/pods?limit=3&continue=" + httplib::detail::encode_query_param(token);
  server.Put(Kind::kPods, Named("f"));
  const json second = GetJson(server, next);
  EXPECT_THAT(Names(second), ElementsAre("c", "d", "e"));
  EXPECT_EQ(second["metadata"]["resourceVersion"], first["metadata"]["resourceVersion"]);
  server.ForgetHistory();
  EXPECT_EQ(GetJson(server, next)["code"], 410);
}

TEST(FakeApiServer, CreatesBindsAndDeletes) {
  FakeApiServer server;
  httplib::Client client(server.url());
  const auto post = [&](const std::string& path, const json& body) {
    return client.Post(path, body.dump(), "application/json")->status;
  };
  const std::string pods = "/api/v1/namespaces/ml/pods";
  const json binding = {{"metadata", {{"annotations", {{"berth.dev/gpu-index", "0"}}}}},
                        {"target", {{"name", "n1"}}}};
  EXPECT_EQ(post("/api/v1/nodes", Named("n1")), 201);
  EXPECT_EQ(post(pods, Named("p")), 201);
  EXPECT_EQ(post(pods, Named("p")), 409);
  EXPECT_EQ(post(pods + "/p/binding", binding), 201);
  EXPECT_EQ(post(pods + "/p/binding", binding), 409);
  EXPECT_EQ(post(pods + "/q/binding", binding), 404);
  const json pod = GetJson(server, pods + "/p");
  EXPECT_EQ(pod["spec"]["nodeName"], "n1");
  EXPECT_EQ(pod["metadata"]["annotations"]["berth.dev/gpu-index"], "0");
  EXPECT_EQ(pod["metadata"]["namespace"], "ml");
  EXPECT_EQ(client.Put(pods + "/p/status", WithPhase(pod, "Running").dump(), "text/json")->status,
            200);
  EXPECT_EQ((*server.Get(Kind::kPods, "ml/p"))["status"]["phase"], "Running");
  EXPECT_EQ(client.Delete(pods + "/p", "{}", "application/json")->status, 200);
  EXPECT_EQ(client.Delete(pods + "/p", "{}", "application/json")->status, 404);
  EXPECT_EQ(server.Count(Kind::kPods), 0u);
}

TEST(FakeApiServer, AWatchResumesAndFollows) {
  FakeApiServer server;
  server.Put(Kind::kPods, Named("a"));
  const int64_t version = server.Put(Kind::kPods, Named("b"));
  server.Put(Kind::kPods, Named("b"));
  server.BreakWatches(Kind::kPods);  // before the watch: not its business
  Watch watch(server, Kind::kPods, "resourceVersion=" + std::to_string(version));
  server.Delete(Kind::kPods, "default/a");
  server.SendBookmark(Kind::kPods, 7777);
  server.Put(Kind::kPods, Named("c"));
  server.EndWatches(Kind::kPods);
  EXPECT_THAT(watch.Types(), ElementsAre("MODIFIED", "DELETED", "BOOKMARK", "ADDED"));
  EXPECT_THAT(watch.bytes(), HasSubstr("\"resourceVersion\":\"7778\""));
  EXPECT_TRUE(watch.clean());
}

TEST(FakeApiServer, ASelectorHidesTerminatedPods) {
  FakeApiServer server;
  server.Put(Kind::kPods, WithPhase(Named("done"), "Succeeded"));
  server.Put(Kind::kPods, Named("a"));
  const std::string query = "fieldSelector=status.phase!%3DSucceeded,status.phase!%3DFailed";
  EXPECT_THAT(Names(GetJson(server, "/api/v1/pods?" + query)), ElementsAre("a"));
  Watch watch(server, Kind::kPods, query + "&resourceVersion=1002");
  server.Put(Kind::kPods, WithPhase(Named("a"), "Running"));
  server.Put(Kind::kPods, WithPhase(Named("a"), "Failed"));
  server.Put(Kind::kPods, WithPhase(Named("a"), "Failed"));
  server.Delete(Kind::kPods, "default/a");
  server.EndWatches(Kind::kPods);
  EXPECT_THAT(watch.Types(), ElementsAre("MODIFIED", "DELETED"));
}

TEST(FakeApiServer, SendsBytesInTheChunksAskedFor) {
  FakeApiServer server;
  Watch watch(server, Kind::kNodes, "resourceVersion=1000");
  server.SendBytes(Kind::kNodes, "abcdef\n", {1, 3});
  server.EndWatches(Kind::kNodes);
  EXPECT_THAT(watch.chunks(), ElementsAre("a", "bc", "def\n"));
}

TEST(FakeApiServer, BreaksWatchesAndStopsWithWatchesOpen) {
  FakeApiServer server;
  {
    Watch watch(server, Kind::kNodes, "resourceVersion=1000");
    server.BreakWatches(Kind::kNodes);
    EXPECT_FALSE(watch.clean());
  }
  Watch watch(server, Kind::kPods, "resourceVersion=1000");
  server.Stop();
  EXPECT_FALSE(watch.clean());
  EXPECT_FALSE(httplib::Client(server.url()).Get("/version"));
  server.Start();
  EXPECT_TRUE(httplib::Client(server.url()).Get("/version"));
}

TEST(FakeApiServer, OldVersionsAndAnswersOnRequest) {
  FakeApiServer server;
  server.ReplaceSilently(Kind::kPods, {Named("x")});
  EXPECT_EQ(GetJson(server, "/api/v1/pods?watch=true&resourceVersion=1000")["object"]["code"], 410);
  server.AnswerWatches(Kind::kPods, FakeApiServer::GoneStatus());
  const httplib::Result result = httplib::Client(server.url()).Get("/api/v1/pods?watch=1");
  EXPECT_EQ(result->status, 410);
  server.AnswerLists(Kind::kNodes, FakeApiServer::Answer{.status = 500, .body = "{}"});
  EXPECT_EQ(httplib::Client(server.url()).Get("/api/v1/nodes")->status, 500);
  server.AnswerLists(Kind::kNodes, std::nullopt);
  EXPECT_EQ(httplib::Client(server.url()).Get("/api/v1/nodes")->status, 200);
}

TEST(FakeApiServer, RequiresItsToken) {
  FakeApiServer server({.token = "secret"});
  httplib::Client client(server.url());
  EXPECT_EQ(client.Get("/version")->status, 401);
  EXPECT_EQ(client.Get("/version", {{"Authorization", "Bearer secret"}})->status, 200);
  EXPECT_THAT(server.Requests(), ElementsAre("GET /version", "GET /version"));
}

}  // namespace
}  // namespace berth
