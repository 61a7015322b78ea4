#include "service/scoring_server.h"

#include <gmock/gmock.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/support/byte_buffer.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <string>
#include <vector>

#include "unit/service/running_service.h"

namespace berth {
namespace {

using ::testing::HasSubstr;
using HealthResponse = grpc::health::v1::HealthCheckResponse;
using namespace std::chrono_literals;

constexpr auto kPatience = 30s;

// A policy that answers once it is let.
class GatedPolicy {
 public:
  ScorerPtr scorer() {
    return std::make_shared<FakeScorer>("gated", [this](const ScoreRequest&, std::span<float> s) {
      asked_.set_value();
      open_.get_future().wait();
      std::ranges::fill(s, 0);
      return absl::OkStatus();
    });
  }
  void AwaitAsked() { asked_.get_future().wait(); }
  void Open() { open_.set_value(); }

 private:
  std::promise<void> asked_, open_;
};

TEST(ScoringServer, IsHealthyOnceTheFirstEpochIsComplete) {
  RunningService service;
  for (const std::string name : {"", "berth.v1.Scoring"}) {
    EXPECT_EQ(service.Health(name), HealthResponse::NOT_SERVING);
  }
  EXPECT_THAT(std::string(service.server().Ready().message()), HasSubstr("not synced"));
  RawFeed feed(service);
  FeedAll(feed, {});
  for (const std::string name : {"", "berth.v1.Scoring"}) {
    EXPECT_EQ(service.Health(name), HealthResponse::SERVING);
  }
  EXPECT_TRUE(service.server().Ready().ok());
  EXPECT_TRUE(feed.Close().ok());
  EXPECT_EQ(service.Health(""), HealthResponse::SERVING) << "the last picture still stands";
}

TEST(ScoringServer, DrainingFlipsHealthAndEndsTheFeedAndLetsCallsFinish) {
  GatedPolicy policy;
  RunningService service(policy.scorer());
  RawFeed feed(service);
  FeedAll(feed, {ManagedNode("n1", 8, 2)});

  const auto health = grpc::health::v1::Health::NewStub(service.channel());
  grpc::ClientContext watch_context;
  const auto watch = health->Watch(&watch_context, {});
  HealthResponse watched;
  ASSERT_TRUE(watch->Read(&watched));
  EXPECT_EQ(watched.status(), HealthResponse::SERVING);

  std::future<grpc::Status> call = std::async(std::launch::async, [&] {
    v1::ScoreResponse response;
    return service.Score(AskAbout<v1::ScoreRequest>(ManagedPod("p", 2, 500), {"n1"}), response);
  });
  policy.AwaitAsked();
  std::future<void> drained =
      std::async(std::launch::async, [&] { service.server().Drain(kPatience); });

  ASSERT_TRUE(watch->Read(&watched));
  EXPECT_EQ(watched.status(), HealthResponse::NOT_SERVING);
  const grpc::Status end = feed.AwaitEnd();
  EXPECT_EQ(end.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_THAT(end.error_message(), HasSubstr("shutting down"));
  EXPECT_FALSE(service.server().Ready().ok());
  watch_context.TryCancel();
  EXPECT_FALSE(watch->Read(&watched));

  policy.Open();
  EXPECT_TRUE(call.get().ok());
  drained.wait();
  v1::ScoreResponse response;
  EXPECT_EQ(service.Score({}, response).error_code(), grpc::StatusCode::UNAVAILABLE);
}

TEST(ScoringServer, TheGracePeriodEndsWhatDoesNotEndByItself) {
  RunningService service;
  const auto health = grpc::health::v1::Health::NewStub(service.channel());
  grpc::ClientContext context;
  const auto watch = health->Watch(&context, {});
  HealthResponse watched;
  ASSERT_TRUE(watch->Read(&watched));
  service.server().Drain(10ms);
  while (watch->Read(&watched)) {
  }
  EXPECT_FALSE(watch->Finish().ok());
}

// A policy that keeps all who ask until it is opened.
class CrowdedPolicy {
 public:
  ScorerPtr scorer() {
    return std::make_shared<FakeScorer>("crowded", [this](const ScoreRequest&, std::span<float> s) {
      std::unique_lock lock(mutex_);
      ++asked_;
      changed_.notify_all();
      changed_.wait(lock, [this] { return open_; });
      std::ranges::fill(s, 0);
      return absl::OkStatus();
    });
  }
  void AwaitAsked(int times) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return asked_ >= times; });
  }
  int asked() {
    const std::lock_guard lock(mutex_);
    return asked_;
  }
  void Open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int asked_ = 0;
  bool open_ = false;
};

grpc::Status ScoreWithin(std::chrono::milliseconds time, RunningService& service) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + time);
  v1::ScoreResponse response;
  return v1::Scoring::NewStub(service.channel())
      ->Score(&context, AskAbout<v1::ScoreRequest>(ManagedPod("p", 2, 500), {"n1"}), &response);
}

TEST(ScoringServer, WhoAsksTooMuchAtOnceWaitsForATurn) {
  constexpr int kAtOnce = 100 - 1;  // the feed below has a turn of its own
  CrowdedPolicy policy;
  RunningService service(policy.scorer());
  RawFeed feed(service);
  FeedAll(feed, {ManagedNode("n1", 8, 2)});
  std::vector<std::future<grpc::Status>> calls;
  const auto ask = [&] { return ScoreWithin(kPatience, service); };
  for (int i = 0; i < kAtOnce; ++i) calls.push_back(std::async(std::launch::async, ask));
  policy.AwaitAsked(kAtOnce);
  EXPECT_EQ(ScoreWithin(50ms, service).error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_EQ(policy.asked(), kAtOnce) << "the one too many has not come so far";
  calls.push_back(std::async(std::launch::async, ask));
  policy.Open();
  for (auto& call : calls) EXPECT_TRUE(call.get().ok());
}

TEST(ScoringServer, TakesNoPortThatAnotherServerHas) {
  RunningService service;
  RunningService other;
  Metrics metrics;
  Logger log("test");
  const RealClock clock;
  ClusterState state([](const Node&, const Demand&, const WorkloadProfile&) { return GpuSet(); },
                     std::make_shared<const WorkloadProfile>("", std::span<const ClassCount>()),
                     metrics, log);
  const PolicySlot policy(RoutesTo(MostFreeCpu()));
  const auto second =
      ScoringServer::Start({.address = service.target()}, state, policy, clock, metrics, log);
  EXPECT_EQ(second.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(second.status().message()), HasSubstr(service.target()));
}

TEST(ScoringServer, ReflectionListsTheServices) {
  RunningService service;
  // ServerReflectionRequest{list_services: ""}, written by hand: its header is not installed.
  const grpc::Slice bytes(std::string("\x3a\x00", 2));
  const grpc::ByteBuffer request(&bytes, 1);
  grpc::ByteBuffer response;
  grpc::ClientContext context;
  grpc::GenericStub stub(service.channel());
  std::promise<grpc::Status> done;
  stub.UnaryCall(&context, "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", {},
                 &request, &response, [&](grpc::Status status) { done.set_value(status); });
  const grpc::Status status = done.get_future().get();
  ASSERT_TRUE(status.ok()) << status.error_message();
  grpc::Slice listed;
  ASSERT_TRUE(response.TrySingleSlice(&listed).ok());
  const std::string text(reinterpret_cast<const char*>(listed.begin()), listed.size());
  for (const char* name : {"berth.v1.Cluster", "berth.v1.Scoring", "grpc.health.v1.Health"}) {
    EXPECT_THAT(text, HasSubstr(name));
  }
}

}  // namespace
}  // namespace berth
