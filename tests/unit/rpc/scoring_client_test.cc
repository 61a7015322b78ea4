#include "rpc/scoring_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "berth/v1/scoring.grpc.pb.h"
#include "grpc/health/v1/health.grpc.pb.h"
#include "rpc/explain_client.h"
#include "unit/rpc/loopback_server.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

constexpr auto kPatience = 30s;
const std::vector<std::string> kNames = {"n1", "n2", "n3"};

// Answers as it is told, and remembers what it was asked.
class FakeScoring final : public v1::Scoring::Service {
 public:
  grpc::Status Filter(grpc::ServerContext*, const v1::FilterRequest* request,
                      v1::FilterResponse* response) override {
    {
      const std::scoped_lock lock(mutex_);
      asked_ = *request;
    }
    *response = filter_response;
    return status;
  }
  grpc::Status Score(grpc::ServerContext* context, const v1::ScoreRequest*,
                     v1::ScoreResponse* response) override {
    while (hang && !context->IsCancelled()) std::this_thread::yield();
    *response = score_response;
    return status;
  }
  grpc::Status Explain(grpc::ServerContext*, const v1::ExplainRequest* request,
                       v1::ExplainResponse* response) override {
    response->mutable_demand()->set_gpus(request->node_names_size());
    return status;
  }

  v1::FilterRequest asked() {
    const std::scoped_lock lock(mutex_);
    return asked_;
  }

  // Set these before the server runs.
  grpc::Status status;
  v1::FilterResponse filter_response;
  v1::ScoreResponse score_response;
  bool hang = false;

 private:
  std::mutex mutex_;
  v1::FilterRequest asked_;
};

class FakeHealth final : public grpc::health::v1::Health::Service {
 public:
  grpc::Status Check(grpc::ServerContext*, const grpc::health::v1::HealthCheckRequest*,
                     grpc::health::v1::HealthCheckResponse* response) override {
    response->set_status(serving ? grpc::health::v1::HealthCheckResponse::SERVING
                                 : grpc::health::v1::HealthCheckResponse::NOT_SERVING);
    return grpc::Status::OK;
  }

  std::atomic<bool> serving = true;
};

TEST(ScoringClient, FilterGivesRefusalsByReason) {
  FakeScoring fake;
  v1::RefusedNodes& refused = *fake.filter_response.add_refused();
  refused.set_reason("too few GPUs");
  refused.set_never(true);
  refused.add_nodes(0);
  refused.add_nodes(2);
  fake.filter_response.add_unknown(1);
  LoopbackServer server({&fake});
  const auto client = MakeScoringClient(server.target(), kPatience);

  const Result<FilterAnswer> answer = client->Filter({.uid = "u1"}, kNames);
  ASSERT_TRUE(answer.ok()) << answer.status();
  ASSERT_EQ(answer->refused.size(), 1u);
  EXPECT_EQ(answer->refused[0].reason, "too few GPUs");
  EXPECT_TRUE(answer->refused[0].never);
  EXPECT_THAT(answer->refused[0].candidates, ElementsAre(0, 2));
  EXPECT_THAT(answer->unknown, ElementsAre(1));
  EXPECT_EQ(fake.asked().pod().uid(), "u1");
  EXPECT_THAT(fake.asked().node_names(), ElementsAre("n1", "n2", "n3"));
}

TEST(ScoringClient, ScoreGivesTheOrder) {
  FakeScoring fake;
  for (const uint32_t position : {2, 0, 1}) fake.score_response.add_order(position);
  fake.score_response.set_feasible(2);
  fake.score_response.set_unknown(1);
  LoopbackServer server({&fake});
  const auto client = MakeScoringClient(server.target(), kPatience);

  const Result<ScoreAnswer> answer = client->Score({.uid = "u1"}, kNames);
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_THAT(answer->order, ElementsAre(2, 0, 1));
  EXPECT_EQ(answer->feasible, 2u);
  EXPECT_EQ(answer->unknown, 1u);
}

TEST(ScoringClient, ErrorsKeepTheirCodeAndNameTheTarget) {
  FakeScoring fake;
  fake.status = {grpc::StatusCode::INVALID_ARGUMENT, "pod.uid: is required"};
  LoopbackServer server({&fake});
  const auto client = MakeScoringClient(server.target(), kPatience);
  for (const Status& status :
       {client->Filter({}, kNames).status(), client->Score({}, kNames).status(),
        Explain(server.target(), {}, kNames, kPatience).status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(status.message(), "scoring service " + server.target() + ": pod.uid: is required");
  }
}

TEST(ScoringClient, PassesOnNoPositionsThatCannotBe) {
  struct Case {
    std::vector<uint32_t> order;
    uint32_t feasible, unknown;
  };
  const Case cases[] = {
      {{}, 0, 0},        {{0, 1}, 0, 0},    {{0, 1, 2, 3}, 0, 0}, {{0, 1, 3}, 0, 0},
      {{0, 1, 1}, 0, 0}, {{0, 1, 2}, 2, 2}, {{0, 1, 2}, 4, 0},    {{0, 1, 2}, 0xFFFFFFFF, 1},
  };
  for (const Case& c : cases) {
    FakeScoring fake;
    fake.score_response.mutable_order()->Add(c.order.begin(), c.order.end());
    fake.score_response.set_feasible(c.feasible);
    fake.score_response.set_unknown(c.unknown);
    LoopbackServer server({&fake});
    const auto client = MakeScoringClient(server.target(), kPatience);
    EXPECT_EQ(client->Score({.uid = "u1"}, kNames).status().code(), absl::StatusCode::kInternal);
  }
  for (const bool refused : {true, false}) {
    FakeScoring fake;
    if (refused) fake.filter_response.add_refused()->add_nodes(3);
    if (!refused) fake.filter_response.add_unknown(3);
    LoopbackServer server({&fake});
    const auto client = MakeScoringClient(server.target(), kPatience);
    EXPECT_EQ(client->Filter({.uid = "u1"}, kNames).status().code(), absl::StatusCode::kInternal);
  }
}

TEST(ScoringClient, GivesUpAtTheTimeout) {
  FakeScoring fake;
  fake.hang = true;
  LoopbackServer server({&fake});
  const auto client = MakeScoringClient(server.target(), 50ms);
  EXPECT_EQ(client->Score({.uid = "u1"}, kNames).status().code(),
            absl::StatusCode::kDeadlineExceeded);
}

TEST(ScoringClient, SaysAtOnceThatTheServiceIsAway) {
  const std::string target = NobodysTarget();
  const auto client = MakeScoringClient(target, kPatience);
  for (const Status& status : {client->Filter({.uid = "u1"}, kNames).status(), client->Ready(),
                               Explain(target, {}, kNames, kPatience).status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
    EXPECT_THAT(status.message(), HasSubstr(target));
  }
}

TEST(ScoringClient, FindsAServiceThatCameBack) {
  FakeScoring fake;
  auto server = std::make_unique<LoopbackServer>(std::vector<grpc::Service*>{&fake});
  const int port = server->port();
  const auto client = MakeScoringClient(server->target(), kPatience);
  EXPECT_TRUE(client->Filter({.uid = "u1"}, kNames).ok());

  server.reset();
  EXPECT_EQ(client->Filter({.uid = "u1"}, kNames).status().code(), absl::StatusCode::kUnavailable);

  server = std::make_unique<LoopbackServer>(std::vector<grpc::Service*>{&fake}, port);
  while (!client->Filter({.uid = "u1"}, kNames).ok()) std::this_thread::yield();
}

TEST(ScoringClient, IsReadyWhenTheHealthCheckSaysServing) {
  FakeHealth fake;
  LoopbackServer server({&fake});
  const auto client = MakeScoringClient(server.target(), kPatience);
  EXPECT_TRUE(client->Ready().ok());
  fake.serving = false;
  EXPECT_EQ(client->Ready().code(), absl::StatusCode::kUnavailable);
}

TEST(ScoringClient, TakesTwentyThousandLongNamesAndAnswers) {
  FakeScoring fake;
  for (uint32_t i = 0; i < 20'000; ++i) fake.score_response.add_order(i);
  LoopbackServer server({&fake});
  const auto client = MakeScoringClient(server.target(), kPatience);
  const std::vector<std::string> names(20'000, std::string(200, 'n'));  // about 4 MB
  const Result<ScoreAnswer> answer = client->Score({.uid = "u1"}, names);
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->order.size(), names.size());
}

TEST(Explain, AsksForTheNamedNodes) {
  FakeScoring fake;
  LoopbackServer server({&fake});
  const Result<Explanation> explanation = Explain(server.target(), {}, kNames, kPatience);
  ASSERT_TRUE(explanation.ok()) << explanation.status();
  EXPECT_EQ(explanation->demand.gpus, 3);
}

}  // namespace
}  // namespace berth
