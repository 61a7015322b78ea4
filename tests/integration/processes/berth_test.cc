// The program `berth` as its users run it.

#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "berth/v1/placement.grpc.pb.h"
#include "berth/v1/scoring.grpc.pb.h"
#include "rpc/feed_client.h"
#include "support/background_program.h"
#include "support/run_program.h"
#include "support/temp_directory.h"
#include "support/test_certificates.h"

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

Addresses AwaitServing(BackgroundProgram& serve) {
  const Result<std::string> line = serve.AwaitLine("msg=\"serving\"", std::chrono::minutes(1));
  EXPECT_TRUE(line.ok()) << line.status();
  return {LogField(*line, "grpc"), LogField(*line, "http")};
}

FinishedProgram Berth(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), kBerth);
  return RunProgram(std::move(arguments));
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
  BackgroundProgram serve(Serve("fgd"));
  const Addresses at = AwaitServing(serve);
  EXPECT_EQ(StatusOf(at.http, "/healthz"), 200);
  EXPECT_EQ(StatusOf(at.http, "/readyz"), 503);
  const auto feed = FeedTwoNodes(at.grpc);
  EXPECT_EQ(StatusOf(at.http, "/readyz"), 200);
  EXPECT_THAT(httplib::Client("http://" + at.http).Get("/metrics")->body,
              ContainsRegex("berth_build_info.commit=\"[0-9a-z]+\",version=\"[0-9.]+\". 1"));
  EXPECT_EQ(serve.Stop(), 0);
  EXPECT_THAT(serve.Tail(), HasSubstr("msg=\"stopping\" signal=SIGTERM"));
}

TEST_F(BerthProgram, LearnsTheMixOfThePodsThatComeUnlessOneIsGiven) {
  BackgroundProgram serve(
      {kBerth, "serve", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--policy", "fgd"});
  const auto feed = FeedTwoNodes(AwaitServing(serve).grpc);
  for (int i = 0; i < 64; ++i) {
    const std::string name = "pod-" + std::to_string(i);
    const PodFacts pod{.uid = name, .name = name, .requests = {{"berth.dev/gpu-milli", 100}}};
    ASSERT_TRUE(feed->Send(FactEvent(pod)).ok());
  }
  const auto line = serve.AwaitLine("msg=\"learned the mix", std::chrono::minutes(1));
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_EQ(LogField(*line, "profile"), "online-64");
  EXPECT_EQ(LogField(*line, "classes"), "1");
}

// One call as somebody who trusts `authority` and, when `identity` has one, shows a certificate.
grpc::Status CallAs(const std::string& target, const TestAuthority& authority,
                    const TestIdentity& identity) {
  const auto channel = grpc::CreateChannel(
      target, grpc::SslCredentials({authority.certificate(), identity.key, identity.certificate}));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
  v1::RankResponse response;
  return v1::Placement::NewStub(channel)->Rank(&context, {}, &response);
}

TEST_F(BerthProgram, LetsInOverTlsOnlyThoseWithACertificate) {
  const TestAuthority authority, other("another authority");
  const TestIdentity own = authority.Issue("berth", "IP:127.0.0.1");
  std::vector<std::string> arguments = Serve("fgd");
  for (const auto& [option, text] :
       {std::pair("--tls-cert", own.certificate), std::pair("--tls-key", own.key),
        std::pair("--tls-client-ca", authority.certificate())}) {
    arguments.push_back(option);
    arguments.push_back(directory_.Write(option, text));
  }
  BackgroundProgram serve(arguments);
  const Addresses at = AwaitServing(serve);
  const auto code = [&](const TestAuthority& trusted, const TestIdentity& shown) {
    return CallAs(at.grpc, trusted, shown).error_code();
  };
  EXPECT_EQ(code(authority, authority.Issue("scheduler")), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(code(authority, other.Issue("stranger")), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(code(authority, {}), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(code(other, authority.Issue("scheduler")), grpc::StatusCode::UNAVAILABLE);
}

TEST_F(BerthProgram, ExplainsAPodToPeopleAndToMachines) {
  BackgroundProgram serve(Serve("fgd"));
  const Addresses at = AwaitServing(serve);
  const auto feed = FeedTwoNodes(at.grpc);
  const std::string pod = directory_.Write("pod.json", kPod);

  const FinishedProgram people = Berth({"explain", "--service", at.grpc, "-f", pod});
  EXPECT_EQ(people.status, 0);
  EXPECT_THAT(people.output, HasSubstr("pod ml/trainer asks for 0.5 of one GPU"));
  EXPECT_THAT(people.output, HasSubstr("1 of 2 nodes can take the pod, ranked by fgd"));
  EXPECT_THAT(people.output,
              HasSubstr("1 node: the node does not offer the GPU resource asked for"));

  const FinishedProgram machines =
      Berth({"explain", "--service", at.grpc, "-f", pod, "--node", "small", "--json"});
  EXPECT_EQ(machines.status, 0);
  const auto json = nlohmann::json::parse(machines.output);
  EXPECT_EQ(json["nodes"].size(), 1u);
  EXPECT_EQ(json["nodes"][0]["node"], "small");
  EXPECT_EQ(json["nodes"][0]["gpus"], nlohmann::json({0}));
}

// Asks where a pod of half a GPU is to go, as the extender does.
void AskAboutHalfAGpu(const std::string& target, const std::string& name) {
  v1::ScoreRequest request;
  v1::PodFacts& pod = *request.mutable_pod();
  pod.set_uid("uid-of-" + name);
  pod.set_namespace_("ml");
  pod.set_name(name);
  (*pod.mutable_requests())["cpu"] = 2000;
  (*pod.mutable_requests())["berth.dev/gpu-milli"] = 500;
  request.add_node_names("small");
  request.add_node_names("plain");
  const auto channel = grpc::CreateChannel(target, grpc::InsecureChannelCredentials());
  grpc::ClientContext context;
  v1::ScoreResponse response;
  const grpc::Status status = v1::Scoring::NewStub(channel)->Score(&context, request, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
}

TEST_F(BerthProgram, LogsDecisionsThatItExplainsAndReplaysLater) {
  const std::string log = folder_ / "decisions.db";
  std::vector<std::string> arguments = Serve("fgd");
  arguments.insert(arguments.end(), {"--decision-log", log, "--decision-log-size", "1MiB"});
  BackgroundProgram serve(arguments);
  const Addresses at = AwaitServing(serve);
  const auto feed = FeedTwoNodes(at.grpc);
  for (const char* name : {"a", "b", "c"}) AskAboutHalfAGpu(at.grpc, name);
  const auto logged = [&] {
    const std::string metrics = httplib::Client("http://" + at.http).Get("/metrics")->body;
    return metrics.find("berth_decisions_total{outcome=\"logged\"} 3") != std::string::npos;
  };
  while (!logged()) std::this_thread::yield();

  const FinishedProgram meanwhile = Berth({"explain", "ml/a", "--log", log});
  EXPECT_EQ(meanwhile.status, 0);
  EXPECT_THAT(meanwhile.output, HasSubstr("pod ml/a (UID uid-of-a) asks for 0.5 of one GPU"));
  EXPECT_THAT(meanwhile.output, HasSubstr("node       small, GPU 0\n"));
  EXPECT_THAT(meanwhile.output, HasSubstr("fgd-bestfit would have chosen the same"));
  EXPECT_EQ(serve.Stop(), 0);

  const FinishedProgram explained = Berth({"explain", "uid-of-c", "--log", log, "--json"});
  EXPECT_EQ(explained.status, 0);
  const auto decision = nlohmann::json::parse(explained.output);
  EXPECT_EQ(decision["pod"]["name"], "c");
  EXPECT_EQ(decision["nodes"], 2);
  EXPECT_EQ(decision["feasible"], 0) << "two pods are expected on the only GPU";

  const FinishedProgram people = Berth({"policy", "replay", "--log", log, "--policy", "fgd"});
  EXPECT_EQ(people.status, 0);
  EXPECT_THAT(people.output, HasSubstr("1 more found no node that could take the pod."));
  const FinishedProgram replayed = Berth({"policy", "replay", "--log", log, "--policy",
                                          BERTH_SOURCE_DIR "/policies/fgd-bestfit", "--json"});
  const auto replay = nlohmann::json::parse(replayed.output);
  EXPECT_EQ(replay["kinds"].back()["decisions"], 2);
  EXPECT_EQ(replay["kinds"].back()["differ"], 0);
}

TEST_F(BerthProgram, ServesWithoutItsDecisionLog) {
  std::vector<std::string> arguments = Serve("fgd");
  const std::string log = directory_.Write("decisions.db", std::string(5'000, 'x'));
  arguments.insert(arguments.end(), {"--decision-log", log});
  BackgroundProgram serve(arguments);
  const Addresses at = AwaitServing(serve);
  const auto feed = FeedTwoNodes(at.grpc);
  AskAboutHalfAGpu(at.grpc, "a");
  EXPECT_EQ(StatusOf(at.http, "/readyz"), 200);
  EXPECT_THAT(serve.Tail(), HasSubstr("decisions are not logged"));
}

TEST_F(BerthProgram, ServesAPolicyThatItExported) {
  const std::string policy = folder_ / "policy";
  const FinishedProgram exported = Berth({"policy", "export", "fgd-bestfit", "--out", policy});
  ASSERT_EQ(exported.status, 0) << exported.output;

  BackgroundProgram serve(Serve(policy));
  const Addresses at = AwaitServing(serve);
  const auto feed = FeedTwoNodes(at.grpc);
  const std::string pod = directory_.Write("pod.json", kPod);
  const FinishedProgram explained = Berth({"explain", "--service", at.grpc, "-f", pod});
  EXPECT_THAT(explained.output, HasSubstr("ranked by fgd-bestfit"));
  EXPECT_EQ(serve.Stop(), 0);
}

TEST_F(BerthProgram, WeighsWhatStaysOtherThanWhatLeaves) {
  const std::string pod = directory_.Write("pod.json", kPod);
  const auto score_in = [&](const std::string& regime) {
    std::vector<std::string> arguments = Serve(BERTH_SOURCE_DIR "/policies/berth");
    arguments.insert(arguments.end(), {"--regime", regime});
    BackgroundProgram serve(arguments);
    const Addresses at = AwaitServing(serve);
    const auto feed = FeedTwoNodes(at.grpc);
    const FinishedProgram explained =
        Berth({"explain", "--service", at.grpc, "-f", pod, "--node", "small", "--json"});
    return nlohmann::json::parse(explained.output)["nodes"][0]["score"].get<double>();
  };
  EXPECT_NE(score_in("living"), score_in("packing"));
}

// Replaces rollout.yaml at one stroke.
void Want(const std::filesystem::path& folder, const std::string& policy) {
  std::ofstream(folder / "rollout.new") << "active: " << policy << "\n";
  std::filesystem::rename(folder / "rollout.new", folder / "rollout.yaml");
}

TEST_F(BerthProgram, SwapsThePolicyThatRolloutYamlNames) {
  for (const std::string name : {"fgd", "fgd-bestfit"}) {
    ASSERT_EQ(Berth({"policy", "export", name, "--out", folder_ / ("my-" + name)}).status, 0);
  }
  std::filesystem::create_directory(folder_ / "broken");
  Want(folder_, "my-fgd");
  std::vector<std::string> arguments = Serve("");
  arguments.resize(arguments.size() - 2);
  arguments.insert(arguments.end(), {"--policies", folder_});
  BackgroundProgram serve(arguments);
  const auto swapped = [&](const char* line) {
    return serve.AwaitLine(line, std::chrono::minutes(1)).ok();
  };
  const Addresses at = AwaitServing(serve);
  const auto feed = FeedTwoNodes(at.grpc);
  const std::string pod = directory_.Write("pod.json", kPod);
  const auto ranked_by = [&](const std::string& name) {
    const std::string output = Berth({"explain", "--service", at.grpc, "-f", pod}).output;
    EXPECT_THAT(output, HasSubstr("can take the pod, ranked by " + name + ";"));
  };
  ranked_by("fgd");
  Want(folder_, "my-fgd-bestfit");
  EXPECT_TRUE(swapped("msg=\"policy swapped\" from=\"fgd 1\" to=\"fgd-bestfit 1\""));
  ranked_by("fgd-bestfit");
  Want(folder_, "broken");
  EXPECT_TRUE(swapped("the one in charge stays\" policy=\"fgd-bestfit 1\""));
  ranked_by("fgd-bestfit");
  Want(folder_, "best-fit");
  EXPECT_TRUE(swapped("to=\"best-fit\""));
  ranked_by("best-fit");
  EXPECT_EQ(serve.Stop(), 0);
}

TEST_F(BerthProgram, RollsAPolicyOutAndBackFromTheCommandLine) {
  for (const std::string name : {"fgd", "fgd-bestfit"}) {
    ASSERT_EQ(Berth({"policy", "export", name, "--out", folder_ / name}).status, 0);
  }
  std::filesystem::create_directory(folder_ / "broken");
  Want(folder_, "fgd");
  const TempDirectory secrets;
  const std::string token = secrets.Write("token", "0123456789abcdef\n");
  std::vector<std::string> arguments = Serve("");
  arguments.resize(arguments.size() - 2);
  arguments.insert(arguments.end(), {"--policies", folder_, "--admin-token-file", token,
                                     "--audit-log", secrets.path() / "audit.jsonl"});
  BackgroundProgram serve(arguments);
  const Addresses at = AwaitServing(serve);
  const auto policy = [&](std::vector<std::string> command) {
    command.insert(command.begin(), "policy");
    command.insert(command.end(), {"--service", at.grpc, "--token-file", token});
    return Berth(std::move(command));
  };
  const FinishedProgram loaded = policy({"load", "fgd-bestfit"});
  EXPECT_EQ(loaded.status, 0);
  EXPECT_THAT(loaded.output, HasSubstr("fgd-bestfit 1: may serve"));
  EXPECT_EQ(policy({"shadow", "fgd-bestfit", "--why", "to compare"}).output,
            "active: fgd\nshadow: fgd-bestfit\n");
  EXPECT_EQ(policy({"shadow", "--off", "--why", "seen enough"}).output, "active: fgd\n");
  EXPECT_EQ(policy({"canary", "fgd-bestfit", "--percent", "10", "--after", "1000", "--max-regret",
                    "0.5%", "--max-p99", "2ms", "--why", "first week"})
                .output,
            "active: fgd\ncanary:\n  policy: fgd-bestfit\n  percent: 10\n"
            "promote:\n  decisions: 1000\n  max_regret: 0.5%\n  max_p99: 2ms\n");
  EXPECT_EQ(policy({"promote", "--why", "a good week"}).output,
            "active: fgd-bestfit\nprevious: fgd\n");
  EXPECT_TRUE(serve.AwaitLine("to=\"fgd-bestfit 1\"", std::chrono::minutes(1)).ok());
  const auto listed = nlohmann::json::parse(policy({"list", "--json"}).output);
  EXPECT_EQ(listed["roles"][0]["policy"], "fgd-bestfit");
  EXPECT_THAT(policy({"list"}).output, HasSubstr("broken/manifest.json"));
  EXPECT_EQ(policy({"rollback", "--why", "pods wait"}).output, "active: fgd\n");
  const FinishedProgram refused = policy({"promote", "broken", "--why", "oops"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.output, ContainsRegex("berth policy promote: .*broken/manifest.json"));
  EXPECT_EQ(Berth({"policy", "promote", "fgd", "--service", at.grpc, "--why", "x"}).status, 1);
  const std::string audit = secrets.Read("audit.jsonl");
  EXPECT_EQ(std::count(audit.begin(), audit.end(), '\n'), 5);
  EXPECT_EQ(serve.Stop(), 0);
}

TEST_F(BerthProgram, PrintsTheRolloutToCommitWhereItIsMounted) {
  std::filesystem::create_directory(folder_ / "..2026");
  Want(folder_ / "..2026", "fgd");
  std::filesystem::create_directory_symlink("..2026", folder_ / "..data");
  std::filesystem::create_symlink("..data/rollout.yaml", folder_ / "rollout.yaml");
  const TempDirectory secrets;
  const std::string token = secrets.Write("token", "0123456789abcdef\n");
  std::vector<std::string> arguments = Serve("");
  arguments.resize(arguments.size() - 2);
  arguments.insert(arguments.end(), {"--policies", folder_, "--admin-token-file", token});
  BackgroundProgram serve(arguments);
  const FinishedProgram finished =
      Berth({"policy", "promote", "best-fit", "--why", "as agreed", "--token-file", token,
             "--service", AwaitServing(serve).grpc});
  EXPECT_EQ(finished.status, 3);
  EXPECT_THAT(finished.output,
              ContainsRegex("rollout.yaml cannot be written .it is mounted.: put this there "
                            "yourself:\nactive: best-fit\nprevious: fgd\n$"));
}

TEST_F(BerthProgram, PacksAndInspectsAPolicy) {
  ASSERT_EQ(Berth({"policy", "export", "fgd", "--out", folder_ / "made"}).status, 0);
  const std::string about = directory_.Write("about.json", R"({"name": "mine", "version": "7",
      "columns": ["fragmentation_before", "fragmentation_after"], "context_columns": []})");
  const std::string module = folder_ / "made/policy.pt";
  const FinishedProgram packed =
      Berth({"policy", "pack", module, "--about", about, "--out", folder_ / "mine"});
  ASSERT_EQ(packed.status, 0) << packed.output;
  const FinishedProgram inspected = Berth({"policy", "inspect", folder_ / "mine", "--json"});
  ASSERT_EQ(inspected.status, 0) << inspected.output;
  EXPECT_EQ(nlohmann::json::parse(inspected.output).at("manifest").at("version"), "7");
  const FinishedProgram compared =
      Berth({"policy", "diff", folder_ / "mine", folder_ / "made", "--seeds", "1"});
  EXPECT_THAT(compared.output, ContainsRegex("all +[0-9]+ +0 +0.0 %"));

  const std::string text = directory_.Write("text.pt", "no archive");
  const FinishedProgram refused =
      Berth({"policy", "pack", text, "--about", about, "--out", folder_ / "none"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.output, HasSubstr("text.pt: is not a sound TorchScript file"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "none"));
}

TEST_F(BerthProgram, ServesFromWhereItIsInstalledWithThePoliciesThere) {
  const std::string prefix = folder_ / "installed";
  const FinishedProgram install =
      RunProgram({CMAKE, "--install", BERTH_BUILD_DIR, "--prefix", prefix});
  ASSERT_EQ(install.status, 0) << install.output;

  // Not in the source tree, where the defaults would be found as well.
  BackgroundProgram serve({"/usr/bin/env", "--chdir", folder_, prefix + "/bin/berth", "serve",
                           "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0"});
  AwaitServing(serve);
  EXPECT_EQ(serve.Stop(), 0);
  EXPECT_EQ(RunProgram({prefix + "/bin/berth-extender", "--version"}).status, 0);
}

TEST_F(BerthProgram, SaysInOneSentenceWhyItCannot) {
  const std::string profile = directory_.Write("profile.json", kProfile);
  const TempDirectory followed_folder;
  Want(followed_folder.path(), "fgd");
  const std::string followed = followed_folder.path();
  const std::string pod = directory_.Write("pod.json", kPod);
  BackgroundProgram serve(Serve("fgd"));
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
      {{"serve", "--profile", "no-such.json", "--policy", "fgd"},
       "--profile no-such.json: not found; looked for "},
      {{"serve", "--profile", profile, "--policy", "fgd", "--listen", at.grpc, "--http", http},
       "cannot listen on " + at.grpc},
      {{"serve", "--profile", profile, "--policy", "fgd", "--listen", http, "--http", at.http},
       "cannot listen on " + at.http},
      {{"serve", "--profile", profile, "--policies", folder_},
       "--policies .*: there is no .*rollout.yaml, with a line such as .active: berth"},
      {{"serve", "--policies", folder_, "--policy", "fgd"}, "--policy excludes --policies"},
      {{"serve", "--admin-token-file", profile}, "--admin-token-file requires --policies"},
      {{"serve", "--profile", profile, "--policies", followed, "--audit-log", "/dev/full/no"},
       "--audit-log /dev/full/no: cannot be written"},
      {{"serve", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--profile", profile,
        "--policies", followed, "--admin-token-file", "/dev/null"},
       "--admin-token-file /dev/null: the first line has 0 characters"},
      {{"policy", "promote", "berth"}, "--why is required"},
      {{"policy", "shadow", "--why", "x"}, "say which: the name of a policy, or --off"},
      {{"policy", "shadow", "berth", "--off", "--why", "x"}, "say which"},
      {{"policy", "canary", "berth", "--percent", "1", "--max-p99", "2ms", "--why", "x"},
       "--max-p99 requires --after"},
      {{"policy", "canary", "berth", "--after", "1", "--max-p99", "2", "--why", "x"},
       "--max-p99 2: must be a number with its unit, such as 2ms"},
      {{"policy", "canary", "berth", "--after", "1", "--max-regret", "x%", "--why", "x"},
       "--max-regret x%: must be a number with its unit, such as 0.5%"},
      {{"policy", "list", "--service", "127.0.0.1:1"}, "policy list: scoring service 127.0.0.1:1"},
      {{"serve", "--tls-cert", profile}, "--tls-cert requires --tls-key"},
      {{"serve", "--tls-client-ca", profile}, "--tls-client-ca requires --tls-cert"},
      {{"serve", "--profile", profile, "--policy", "fgd", "--listen", http, "--http", http,
        "--tls-cert", profile, "--tls-key", "no-such.pem"},
       "--tls-key: cannot read no-such.pem"},
      {{"serve", "--profile", profile, "--policy", "fgd", "--listen", http, "--http", http,
        "--tls-cert", profile, "--tls-key", profile},
       "--tls-cert .*profile.json --tls-key .*profile.json: no usable certificate .PEM."},
      {{"explain", "--service", at.grpc, "-f", pod}, "explain: scoring service .*not synced"},
      {{"explain", "-f", folder_ / "no-such.json"}, "no-such.json: cannot be read"},
      {{"explain"}, "say which pod: -f FILE, or POD --log FILE"},
      {{"explain", "ml/a"}, "--log"},
      {{"explain", "ml/a", "--log", folder_ / "no-such.db"}, "no-such.db: there is no such file"},
      {{"policy", "replay", "--log", profile, "--policy", "fgd"},
       "profile.json: is damaged, or no"},
      {{"serve", "--profile", profile, "--policy", "fgd", "--decision-log", folder_ / "d.db",
        "--decision-log-age", "a week"},
       "--decision-log-age: .*a week"},
      {{"serve", "--decision-log-size", "1GiB"}, "--decision-log-size requires --decision-log"},
      {{"no-such"}, "no-such"},
  };
  for (const Case& c : cases) {
    const FinishedProgram program = Berth(c.arguments);
    EXPECT_GT(program.status, 0) << c.want;
    EXPECT_THAT(program.output, ContainsRegex(c.want));
  }
}

TEST_F(BerthProgram, HelpTeachesByExample) {
  for (const char* subcommand : {"serve", "explain", "policy", "evaluate"}) {
    const FinishedProgram help = Berth({subcommand, "--help"});
    EXPECT_EQ(help.status, 0);
    EXPECT_THAT(help.output, HasSubstr("Examples:"));
  }
  const FinishedProgram version = Berth({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_THAT(version.output, ContainsRegex("^berth [0-9.]+ .[0-9a-z]+.\n$"));
}

}  // namespace
}  // namespace berth
