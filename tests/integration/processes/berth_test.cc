// The program `berth` as its users run it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include "rpc/feed_client.h"
#include "support/child_process.h"
#include "support/temp_directory.h"

namespace berth {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

const std::string kBerth = std::string(BERTH_BIN_DIR) + "/berth";

constexpr char kProfile[] = R"({
  "version": "a-test", "source": "made up",
  "classes": [{"cpu_milli": 4000, "gpus": 1, "gpu_milli": 500, "count": 1}]})";

constexpr char kPod[] = R"({
  "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "trainer", "namespace": "ml"},
  "spec": {"containers": [{"name": "c", "resources": {
    "requests": {"cpu": "2", "memory": "1Gi"}, "limits": {"berth.dev/gpu-milli": "500"}}}]}})";

class BerthProgram : public ::testing::Test {
 protected:
  std::vector<std::string> Serve(const std::string& policy) {
    return {kBerth,     "serve",       "--listen",  "127.0.0.1:0",
            "--http",   "127.0.0.1:0", "--profile", directory_.Write("profile.json", kProfile),
            "--policy", policy};
  }

  const TempDirectory directory_;
  const std::filesystem::path folder_ = directory_.path();
};

// Where a running `berth serve` answers.
struct Addresses {
  std::string grpc, http;
};

Addresses AwaitServing(ChildProcess& serve) {
  const std::string line = serve.AwaitLine("msg=\"serving\"");
  std::smatch match;
  EXPECT_TRUE(std::regex_search(line, match, std::regex(" grpc=(\\S+) http=(\\S+) "))) << line;
  return {match[1], match[2]};
}

int StatusOf(const std::string& http, const std::string& path) {
  const auto response = httplib::Client("http://" + http).Get(path);
  return response ? response->status : -1;
}

// Two nodes: "small" with one GPU, "plain" with none.
std::unique_ptr<FeedStream> FeedTwoNodes(const std::string& target) {
  auto feed = OpenFeed(target, "a-test");
  EXPECT_TRUE(feed.ok()) << feed.status();
  const ResourceFacts room = {{"cpu", 8000}, {"memory", int64_t{64} << 30}};
  NodeFacts small{.name = "small", .allocatable = room};
  small.allocatable["berth.dev/gpu-milli"] = 1000;
  for (const FeedEvent& event :
       {FeedEvent(EpochBegins{}), FeedEvent(FactEvent(small)),
        FeedEvent(FactEvent(NodeFacts{.name = "plain", .allocatable = room})),
        FeedEvent(EpochEnds{})}) {
    EXPECT_TRUE((*feed)->Send(event).ok());
  }
  while ((*feed)->Acknowledged() < 4) std::this_thread::yield();
  return *std::move(feed);
}

TEST_F(BerthProgram, ServesFromTheFirstEpochToTheSignal) {
  for (const int signal : {SIGTERM, SIGINT}) {
    ChildProcess serve(Serve("fgd"));
    const Addresses at = AwaitServing(serve);
    EXPECT_EQ(StatusOf(at.http, "/healthz"), 200);
    EXPECT_EQ(StatusOf(at.http, "/readyz"), 503);
    const auto feed = FeedTwoNodes(at.grpc);
    EXPECT_EQ(StatusOf(at.http, "/readyz"), 200);
    EXPECT_THAT(httplib::Client("http://" + at.http).Get("/metrics")->body,
                ContainsRegex("berth_build_info.commit=\"[0-9a-z]+\",version=\"[0-9.]+\". 1"));
    serve.Signal(signal);
    EXPECT_EQ(serve.Wait(), 0);
    EXPECT_THAT(serve.ReadAll(), HasSubstr("msg=\"stopping\""));
  }
}

TEST_F(BerthProgram, ExplainsAPodToPeopleAndToMachines) {
  ChildProcess serve(Serve("fgd"));
  const Addresses at = AwaitServing(serve);
  const auto feed = FeedTwoNodes(at.grpc);
  const std::string pod = directory_.Write("pod.json", kPod);

  ChildProcess people({kBerth, "explain", "--service", at.grpc, "-f", pod});
  const std::string table = people.ReadAll();
  EXPECT_EQ(people.Wait(), 0) << table;
  EXPECT_THAT(table, HasSubstr("pod ml/trainer asks for 0.5 of one GPU"));
  EXPECT_THAT(table, HasSubstr("1 of 2 nodes can take the pod, ranked by fgd"));
  EXPECT_THAT(table, HasSubstr("1 node: the node does not offer the GPU resource asked for"));

  ChildProcess machines(
      {kBerth, "explain", "--service", at.grpc, "-f", pod, "--node", "small", "--json"});
  const auto json = nlohmann::json::parse(machines.ReadAll());
  EXPECT_EQ(machines.Wait(), 0);
  EXPECT_EQ(json["nodes"].size(), 1u);
  EXPECT_EQ(json["nodes"][0]["node"], "small");
  EXPECT_EQ(json["nodes"][0]["gpus"], nlohmann::json({0}));
}

TEST_F(BerthProgram, ServesAPolicyThatItExported) {
  const std::string policy = folder_ / "policy";
  ChildProcess exporting({kBerth, "policy", "export", "fgd-bestfit", "--out", policy});
  const std::string output = exporting.ReadAll();
  ASSERT_EQ(exporting.Wait(), 0) << output;

  ChildProcess serve(Serve(policy));
  const Addresses at = AwaitServing(serve);
  const auto feed = FeedTwoNodes(at.grpc);
  ChildProcess explain(
      {kBerth, "explain", "--service", at.grpc, "-f", directory_.Write("pod.json", kPod)});
  EXPECT_THAT(explain.ReadAll(), HasSubstr("ranked by fgd-bestfit"));
  EXPECT_EQ(explain.Wait(), 0);
  serve.Signal(SIGTERM);
  EXPECT_EQ(serve.Wait(), 0);
}

TEST_F(BerthProgram, SaysInOneSentenceWhyItCannot) {
  const std::string profile = directory_.Write("profile.json", kProfile);
  const std::string pod = directory_.Write("pod.json", kPod);
  const std::string not_json = directory_.Write("pod.yaml", "kind: Pod\n");
  const std::string deployment = directory_.Write("deployment.json", R"({"kind": "Deployment"})");
  ChildProcess serve(Serve("fgd"));
  const Addresses at = AwaitServing(serve);
  const std::string http = "127.0.0.1:0";
  struct Case {
    std::vector<std::string> arguments;
    std::string want;
  };
  const Case cases[] = {
      {{"serve", "--profile", profile, "--policy", "no-such"},
       "--policy no-such is no built-in policy .*first-fit.* and no directory of one: not found; "
       "looked for "},
      {{"serve", "--profile", profile, "--policy", folder_}, "manifest.json"},
      {{"serve", "--profile", profile, "--policy", folder_, "--fallback", "no-such"},
       "--fallback no-such: .*first-fit"},
      {{"serve", "--profile", "no-such.json", "--policy", "fgd"},
       "--profile no-such.json: not found; looked for "},
      {{"serve", "--profile", pod, "--policy", "fgd"}, "pod.json"},
      {{"serve", "--profile", profile, "--policy", "fgd", "--listen", "8790"},
       "8790.* is no address; write HOST:PORT"},
      {{"serve", "--profile", profile, "--policy", "fgd", "--listen", at.grpc, "--http", http},
       "cannot listen on " + at.grpc},
      {{"serve", "--profile", profile, "--policy", "fgd", "--listen", http, "--http", at.http},
       "cannot listen on " + at.http},
      {{"serve", "--budget", "20"}, "--budget"},
      {{"explain", "--service", at.grpc, "-f", pod}, "explain: scoring service .*not synced"},
      {{"explain", "--service", "127.0.0.1:1", "-f", pod}, "explain: scoring service 127.0.0.1:1"},
      {{"explain", "-f", folder_ / "no-such.json"}, "no-such.json: cannot be read"},
      {{"explain", "-f", folder_}, "cannot be read"},
      {{"explain", "-f", not_json}, "pod.yaml: is no JSON object; .kubectl create"},
      {{"explain", "-f", deployment}, "kind is .Deployment., must be .Pod."},
      {{"explain"}, "--file is required"},
      {{"policy", "export", "no-such", "--out", folder_ / "p"}, "no-such"},
      {{"no-such"}, "no-such"},
      {{}, "Usage: berth .*SUBCOMMAND"},
  };
  for (const Case& c : cases) {
    std::vector<std::string> argv = {kBerth};
    argv.insert(argv.end(), c.arguments.begin(), c.arguments.end());
    ChildProcess program(argv);
    const std::string output = program.ReadAll();
    EXPECT_GT(program.Wait(), 0) << c.want;
    EXPECT_THAT(output, ContainsRegex(c.want));
  }
}

TEST_F(BerthProgram, HelpTeachesByExample) {
  for (const std::vector<std::string>& subcommand : std::vector<std::vector<std::string>>{
           {"serve"}, {"explain"}, {"policy"}, {"policy", "export"}}) {
    std::vector<std::string> argv = {kBerth};
    argv.insert(argv.end(), subcommand.begin(), subcommand.end());
    argv.push_back("--help");
    ChildProcess help(argv);
    EXPECT_THAT(help.ReadAll(), HasSubstr("Examples:"));
    EXPECT_EQ(help.Wait(), 0);
  }
  ChildProcess version({kBerth, "--version"});
  EXPECT_THAT(version.ReadAll(), ContainsRegex("^berth [0-9.]+ .[0-9a-z]+.\n$"));
  EXPECT_EQ(version.Wait(), 0);
}

}  // namespace
}  // namespace berth
