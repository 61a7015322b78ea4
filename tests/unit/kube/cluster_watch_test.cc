#include "kube/cluster_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <spdlog/sinks/ringbuffer_sink.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "support/fake_api_server.h"
#include "support/fed_cluster.h"
#include "support/temp_directory.h"

namespace berth {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using Kind = FakeApiServer::Kind;

json NodeWith(const std::string& name, int gpus) {
  return {{"metadata", {{"name", name}}},
          {"status", {{"allocatable", {{"nvidia.com/gpu", std::to_string(gpus)}}}}}};
}

json PodWith(const std::string& name, int gpus, const std::string& node = "") {
  const json requests = {{"nvidia.com/gpu", std::to_string(gpus)}};
  const json container = {{"name", "c"}, {"resources", {{"requests", requests}}}};
  return {{"metadata", {{"name", name}, {"namespace", "ml"}, {"uid", "uid-of-" + name}}},
          {"spec", {{"nodeName", node}, {"containers", json::array({container})}}},
          {"status", {{"phase", "Running"}}}};
}

json WithUid(json pod, const std::string& uid) {
  pod["metadata"]["uid"] = uid;
  return pod;
}

std::string Line(const std::string& type, const json& object) {
  return json{{"type", type}, {"object", object}}.dump() + "\n";
}

// An API server with one node of eight GPUs, a watch on it, and what the watch has told.
class ClusterWatchTest : public ::testing::Test {
 protected:
  ClusterWatchTest() { server_.Put(Kind::kNodes, NodeWith("n1", 8)); }

  void StartWatch() { StartWatch({.url = server_.url()}); }
  void StartWatch(const ApiServerAccess& access) {
    watch_ = StartClusterWatch(access, store_, /*seed=*/1, metrics_, log_);
  }
  void StartWatchAndAwaitIt() {
    StartWatch();
    ASSERT_TRUE(server_.AwaitWatches(Kind::kNodes) && server_.AwaitWatches(Kind::kPods));
  }

  // Waits for one more watch of pods than there was when `action` began.
  template <class Action>
  void ExpectNewWatchAfter(Action action) {
    const int before = server_.Watches(Kind::kPods);
    action();
    EXPECT_TRUE(server_.AwaitWatches(Kind::kPods, before + 1));
  }

  bool AwaitFreeGpus(int64_t free, const std::string& node = "n1") {
    const bool met = cluster_.Await([&] { return cluster_.FreeGpus(node) == free; });
    EXPECT_TRUE(met) << node << " has " << cluster_.FreeGpus(node) << " free, not " << free;
    return met;
  }

  double Count(const std::string& what, const std::string& kind = "pod") {
    return metrics_.AddCounter("berth_kube_" + what + "_total", "", {{"kind", kind}}).Value();
  }

  void Tell(const std::string& bytes, std::vector<size_t> cuts = {}) {
    server_.SendBytes(Kind::kPods, bytes, std::move(cuts));
  }

  FakeApiServer server_;
  FactStore store_;
  Metrics metrics_;
  std::shared_ptr<spdlog::sinks::ringbuffer_sink_mt> lines_ =
      std::make_shared<spdlog::sinks::ringbuffer_sink_mt>(1000);
  Logger log_{"test", lines_};
  FedCluster cluster_{store_};
  std::unique_ptr<ClusterWatch> watch_;
};

TEST_F(ClusterWatchTest, ListsAndFollows) {
  server_.Put(Kind::kPods, PodWith("a", 3, "n1"));
  StartWatch();
  AwaitFreeGpus(5);
  server_.Put(Kind::kPods, PodWith("b", 2, "n1"));
  server_.Put(Kind::kNodes, NodeWith("n2", 4));
  AwaitFreeGpus(3);
  AwaitFreeGpus(4, "n2");
  server_.Delete(Kind::kPods, "ml/a");
  AwaitFreeGpus(6);
  server_.Put(Kind::kPods, PodWith("c", 1));
  EXPECT_EQ(server_.Bind("ml/c", "n2"), 201);
  AwaitFreeGpus(3, "n2");
  server_.Delete(Kind::kNodes, "n2");
  AwaitFreeGpus(-1, "n2");
  EXPECT_FALSE(cluster_.nodes.contains("n2"));
  EXPECT_EQ(Count("lists"), 1);
  EXPECT_EQ(Count("watches"), 1);
  EXPECT_EQ(Count("events"), 4);
  EXPECT_EQ(Count("failures"), 0);
  EXPECT_EQ(cluster_.epochs, 1);
}

TEST_F(ClusterWatchTest, ListsInPages) {
  constexpr int kPods = 1234;
  for (int i = 0; i < kPods; ++i) server_.Put(Kind::kPods, PodWith("p" + std::to_string(i), 0));
  StartWatch();
  EXPECT_TRUE(cluster_.Await([&] { return cluster_.pods.size() == kPods; }));
  int pages = 0;
  for (const std::string& request : server_.Requests()) {
    if (request.find("pods?limit=500") != std::string::npos) ++pages;
  }
  EXPECT_EQ(pages, 3);
  EXPECT_EQ(Count("lists"), 1);
}

// Objects may be so large that a page of 500 would not fit into memory: then pages are smaller.
TEST_F(ClusterWatchTest, ListsLargeObjectsInSmallerPages) {
  for (int i = 0; i < 12; ++i) {
    json pod = PodWith("p" + std::to_string(i), i == 0 ? 3 : 0, "n1");
    pod["metadata"]["annotations"] = {{"novel", std::string(6 << 20, 'x')}};
    server_.Put(Kind::kPods, pod);
  }
  StartWatch();
  AwaitFreeGpus(5);
  EXPECT_EQ(cluster_.pods.size(), 12u);
  EXPECT_EQ(Count("lists"), 1);
  EXPECT_TRUE(server_.AwaitRequests("pods?limit=5&continue="));
  EXPECT_THAT(lines_->last_formatted(),
              Contains(HasSubstr("a page of up to 500 objects is longer than 67108864 bytes")));
}

// RS-07: terminated pods hold nothing, pods that are being deleted still do.
TEST_F(ClusterWatchTest, TerminatedPodsAreGoneAndTerminatingOnesAreNot) {
  json terminating = PodWith("terminating", 4, "n1"), failed = PodWith("failed", 2, "n1"),
       finishing = PodWith("finishing", 1, "n1");
  terminating["metadata"]["deletionTimestamp"] = "2026-11-01T00:05:00Z";
  failed["status"]["phase"] = "Failed";
  for (const json& pod : {terminating, failed, finishing}) server_.Put(Kind::kPods, pod);
  StartWatch();
  AwaitFreeGpus(3);
  finishing["status"]["phase"] = "Succeeded";
  server_.Put(Kind::kPods, finishing);
  AwaitFreeGpus(4);
  server_.Delete(Kind::kPods, "ml/terminating");
  AwaitFreeGpus(8);
}

// WA-01: characters cut in two, a very long line, several events and a part of one in a chunk.
TEST_F(ClusterWatchTest, ReadsTheStreamWhereverItIsCut) {
  StartWatchAndAwaitIt();
  const auto added = [](const std::string& name, const std::string& note) {
    json pod = PodWith(name, 1, "n1");
    pod["metadata"]["annotations"] = {{"berth.dev/note", note}};
    return Line("ADDED", pod);
  };
  const std::string cut = added("cut", "Zürich 🚀 山");
  const size_t rocket = cut.find("🚀");
  Tell(cut, {cut.find("ü") + 1, rocket + 1, rocket + 3});
  AwaitFreeGpus(7);
  EXPECT_EQ(cluster_.pods.at("uid-of-cut").annotations.at("berth.dev/note"), "Zürich 🚀 山");
  Tell(added("big", std::string(1'200'000, 'x')));
  AwaitFreeGpus(6);
  const std::string last = added("m3", "c");
  Tell(added("m1", "a") + "\n" + added("m2", "b") + last.substr(0, 40));
  Tell(last.substr(40));
  AwaitFreeGpus(3);
  const std::string deleted = Line("DELETED", PodWith("cut", 1));
  std::vector<size_t> every_byte(deleted.size());
  for (size_t i = 0; i < deleted.size(); ++i) every_byte[i] = i;
  Tell(deleted, every_byte);
  AwaitFreeGpus(4);
  EXPECT_EQ(Count("watches"), 1);  // no reconnect
  EXPECT_EQ(Count("failures"), 0) << lines_->last_formatted().back();
}

TEST_F(ClusterWatchTest, ALineWithoutEndLeadsToANewList) {
  StartWatchAndAwaitIt();
  server_.ReplaceSilently(Kind::kPods, {PodWith("a", 3, "n1")});
  Tell(std::string(17 << 20, 'x'));
  AwaitFreeGpus(5);
  EXPECT_EQ(Count("lists"), 2);
  EXPECT_THAT(lines_->last_formatted(),
              Contains(HasSubstr("a line is longer than 16777216 bytes")));
}

// WA-02: after a bookmark and a clean end the watch resumes from the bookmark, without a list.
TEST_F(ClusterWatchTest, ResumesFromABookmark) {
  StartWatchAndAwaitIt();
  server_.SendBookmark(Kind::kPods, 7777);
  server_.EndWatches(Kind::kPods);
  EXPECT_TRUE(server_.AwaitRequests("resourceVersion=7777&"));
  server_.Put(Kind::kPods, PodWith("a", 3, "n1"));
  AwaitFreeGpus(5);
  EXPECT_EQ(Count("lists"), 1);
  EXPECT_EQ(Count("watches"), 2);
  EXPECT_EQ(Count("failures"), 0);
}

TEST_F(ClusterWatchTest, ResumesAfterAnIdleWatchEnded) {
  StartWatchAndAwaitIt();
  server_.EndWatches(Kind::kPods);
  EXPECT_TRUE(server_.AwaitRequests("pods?watch=true", 2));
  server_.Put(Kind::kPods, PodWith("a", 3, "n1"));
  AwaitFreeGpus(5);
  EXPECT_EQ(Count("lists"), 1);
}

// WA-02: "too old" as an event in the stream and as a status: forget the version and list again.
TEST_F(ClusterWatchTest, ListsAgainWhenItsVersionIsTooOld) {
  server_.Put(Kind::kPods, PodWith("old", 2, "n1"));
  StartWatchAndAwaitIt();
  int used = 3;
  for (const FakeApiServer::Answer& gone :
       {FakeApiServer::GoneInStream(), FakeApiServer::GoneStatus()}) {
    const double lists = Count("lists");
    server_.AnswerWatches(Kind::kPods, gone);
    server_.ReplaceSilently(Kind::kPods, {PodWith("new", used, "n1")});
    server_.EndWatches(Kind::kPods);
    AwaitFreeGpus(8 - used++);
    ExpectNewWatchAfter([&] { server_.AnswerWatches(Kind::kPods, std::nullopt); });
    EXPECT_GT(Count("lists"), lists);
  }
  for (const std::string& request : server_.Requests()) {
    EXPECT_THAT(request, Not(testing::ContainsRegex("resourceVersion=(&|$|[^0-9])")));
  }
}

// WA-02: what cannot be built upon leads to a new list too.
TEST_F(ClusterWatchTest, ListsAgainAfterErrorsUnknownEventsAndGarbage) {
  StartWatchAndAwaitIt();
  int lists = 1;
  for (const std::string& odd :
       {Line("ERROR", {{"code", 500}, {"message", "etcd is away"}}), Line("ERROR", {{"code", 429}}),
        Line("SURPRISE", PodWith("x", 1, "n1")), std::string("this is not JSON\n"),
        std::string("\xc3\x28\n"), std::string("null\n"),
        "{\"type\":\"ADDED\",\"object\":" + std::string(100'000, '[') + "\n"}) {
    SCOPED_TRACE(odd.substr(0, 100));
    // Progress in between, as in real life: else each pause is twice as long as the one before.
    server_.Put(Kind::kPods, PodWith("a", lists % 2, "n1"));
    AwaitFreeGpus(8 - lists % 2);
    ExpectNewWatchAfter([&] { Tell(odd); });
    EXPECT_EQ(Count("lists"), ++lists);
  }
  EXPECT_EQ(Count("failures"), lists - 1);
}

TEST_F(ClusterWatchTest, ResumesWithoutAListWhenTheConnectionBreaks) {
  StartWatchAndAwaitIt();
  server_.BreakWatches(Kind::kPods);
  const int64_t missed = server_.Put(Kind::kPods, PodWith("a", 3, "n1"));
  AwaitFreeGpus(5);
  server_.BreakWatches(Kind::kPods);
  EXPECT_TRUE(server_.AwaitRequests("resourceVersion=" + std::to_string(missed)));
  server_.Delete(Kind::kPods, "ml/a");
  AwaitFreeGpus(8);
  EXPECT_EQ(Count("lists"), 1);
  EXPECT_GE(Count("failures"), 2);
}

TEST_F(ClusterWatchTest, OutlivesARestartOfTheServer) {
  StartWatchAndAwaitIt();
  server_.Stop();
  server_.Put(Kind::kPods, PodWith("a", 3, "n1"));
  server_.Start();
  AwaitFreeGpus(5);
  EXPECT_EQ(Count("lists"), 1);
  server_.Stop();
  server_.ReplaceSilently(Kind::kPods, {PodWith("b", 1, "n1")});
  server_.Start();
  AwaitFreeGpus(7);
  EXPECT_EQ(Count("lists"), 2);
}

TEST_F(ClusterWatchTest, TellsOnceThatTheServerIsAwayAndOnceThatItIsBack) {
  StartWatchAndAwaitIt();
  server_.Stop();
  while (Count("failures") < 3) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  server_.Put(Kind::kPods, PodWith("a", 3, "n1"));
  server_.Start();
  AwaitFreeGpus(5);
  const auto about_pods = [this](const char* what) {
    return std::ranges::count_if(lines_->last_formatted(), [what](const std::string& line) {
      return line.find(what) != std::string::npos && line.find("kind=pod") != std::string::npos;
    });
  };
  EXPECT_EQ(about_pods("lost touch with the API server"), 1);
  EXPECT_EQ(about_pods("in touch with the API server again"), 1);
}

// WA-06: while the watch was away, a pod went and another came under its name.
TEST_F(ClusterWatchTest, SameNameAndNewUidIsAnotherPod) {
  server_.Put(Kind::kNodes, NodeWith("n2", 8));
  server_.Put(Kind::kPods, WithUid(PodWith("w-0", 8, "n1"), "u1"));
  StartWatchAndAwaitIt();
  AwaitFreeGpus(0);
  ExpectNewWatchAfter([&] {
    server_.ReplaceSilently(Kind::kPods, {WithUid(PodWith("w-0", 8), "u2")});
    server_.EndWatches(Kind::kPods);
  });
  AwaitFreeGpus(8);
  AwaitFreeGpus(8, "n2");
  ExpectNewWatchAfter([&] {
    server_.ReplaceSilently(Kind::kPods, {WithUid(PodWith("w-0", 8, "n2"), "u3")});
    server_.EndWatches(Kind::kPods);
  });
  AwaitFreeGpus(0, "n2");
  AwaitFreeGpus(8);
  // A late event of the first pod changes nothing for the third.
  Tell(Line("DELETED", WithUid(PodWith("w-0", 8, "n1"), "u1")));
  server_.Put(Kind::kPods, PodWith("marker", 1, "n1"));
  AwaitFreeGpus(7);
  AwaitFreeGpus(0, "n2");
}

// WA-08: half a list is no picture; after it, only what is bound counts.
TEST_F(ClusterWatchTest, IsSyncedOnceNodesAndPodsAreListed) {
  server_.Put(Kind::kPods, PodWith("a", 8, "n1"));
  json back = PodWith("back", 8);
  back["metadata"]["annotations"] = {{"berth.dev/node", "n1"}};
  server_.Put(Kind::kPods, back);
  server_.AnswerLists(Kind::kPods, FakeApiServer::Answer{.status = 503, .body = "starting"});
  StartWatch();
  EXPECT_TRUE(server_.AwaitWatches(Kind::kNodes));
  EXPECT_TRUE(server_.AwaitRequests("pods?limit=500", 2));
  EXPECT_FALSE(store_.Synced());
  server_.AnswerLists(Kind::kPods, std::nullopt);
  AwaitFreeGpus(0);
  EXPECT_TRUE(store_.Synced());
  EXPECT_TRUE(cluster_.pods.contains("uid-of-back"));
  // A restart needs no state of ours: the same picture again.
  FactStore again;
  FedCluster cluster(again);
  const auto watch = StartClusterWatch({.url = server_.url()}, again, /*seed=*/2, metrics_, log_);
  EXPECT_TRUE(cluster.Await([&] { return cluster.FreeGpus("n1") == 0; }));
  EXPECT_EQ(cluster.pods, cluster_.pods);
  EXPECT_EQ(cluster.nodes, cluster_.nodes);
}

TEST_F(ClusterWatchTest, SkipsAndCountsWhatItCannotRead) {
  json odd = PodWith("odd", 1, "n1");
  odd["spec"]["containers"] = 5;
  server_.Put(Kind::kPods, odd);
  server_.Put(Kind::kPods, PodWith("a", 1, "n1"));
  StartWatch();
  AwaitFreeGpus(7);
  EXPECT_TRUE(server_.AwaitWatches(Kind::kPods));
  odd["metadata"]["name"] = "odder";
  odd["metadata"]["uid"] = "";
  Tell(Line("ADDED", odd));
  server_.Put(Kind::kPods, PodWith("b", 1, "n1"));
  AwaitFreeGpus(6);
  EXPECT_EQ(Count("skipped_objects"), 2);
  EXPECT_EQ(Count("lists"), 1);
  EXPECT_THAT(lines_->last_formatted(),
              AllOf(Contains(HasSubstr("ml/odd\\\": spec.containers is number, not an array")),
                    Contains(HasSubstr("ml/odder"))));
}

TEST_F(ClusterWatchTest, WarnsAboutAWishThatItPassesOver) {
  for (const char* name : {"listed", "added"}) {
    json pod = PodWith(name, 1, "n1");
    pod["metadata"]["annotations"] = {{"berth.dev/expected-duration", "two days"}};
    server_.Put(Kind::kPods, pod);
    if (watch_ == nullptr) StartWatchAndAwaitIt();
  }
  AwaitFreeGpus(6);
  EXPECT_THAT(lines_->last_formatted(),
              AllOf(Contains(AllOf(HasSubstr("pod=\"ml/listed\""), HasSubstr("two days"))),
                    Contains(AllOf(HasSubstr("pod=\"ml/added\""), HasSubstr("two days")))));
}

TEST_F(ClusterWatchTest, ReadsANewTokenWhenTheOldOneIsRefused) {
  TempDirectory directory;
  server_.RequireToken("first");
  StartWatch({.url = server_.url(), .token_file = directory.Write("token", "first\n")});
  EXPECT_TRUE(server_.AwaitWatches(Kind::kPods));
  server_.RequireToken("second");
  server_.BreakWatches(Kind::kPods);
  EXPECT_TRUE(server_.AwaitRequests("pods?watch=true", 3));  // refused at least once
  directory.Write("token", "second\n");
  server_.Put(Kind::kPods, PodWith("a", 3, "n1"));
  AwaitFreeGpus(5);
  EXPECT_EQ(Count("lists"), 1);
  EXPECT_THAT(lines_->last_formatted(), Contains(HasSubstr("answers 401")));
}

TEST_F(ClusterWatchTest, EndsWhileAWatchIsOpenAndWhileItWaits) {
  StartWatchAndAwaitIt();
  watch_.reset();
  server_.Stop();
  StartWatch();
  EXPECT_TRUE(cluster_.Await([&] { return cluster_.nodes.contains("n1"); }));
  watch_.reset();
}

// A server that takes connections and never says a word.
TEST_F(ClusterWatchTest, EndsWhileAListGetsNoAnswer) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  ASSERT_EQ(bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(listen(listener, 8), 0);
  ASSERT_EQ(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size), 0);
  StartWatch({.url = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port))});
  const int first = accept(listener, nullptr, nullptr);
  const int second = accept(listener, nullptr, nullptr);
  char byte;
  EXPECT_EQ(recv(first, &byte, 1, 0), 1);  // the request is on its way
  EXPECT_EQ(recv(second, &byte, 1, 0), 1);
  watch_.reset();
  EXPECT_FALSE(store_.Synced());
  for (const int fd : {first, second, listener}) close(fd);
}

}  // namespace
}  // namespace berth
