#pragma once

#include <gmock/gmock.h>
#include <grpcpp/create_channel.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/real_clock.h"
#include "berth/v1/cluster.grpc.pb.h"
#include "berth/v1/scoring.grpc.pb.h"
#include "cluster/cluster_state.h"
#include "cluster/gpu_choice.h"
#include "grpc/health/v1/health.grpc.pb.h"
#include "rpc/channel.h"
#include "service/decision_reporter.h"
#include "service/scoring_server.h"
#include "support/captured_log.h"
#include "support/fake_scorer.h"
#include "support/served.h"
#include "unit/service/facts.h"

namespace berth {

// Scores a node by its free CPU, in cores: easy to work out by hand.
inline ScorerPtr MostFreeCpu() {
  return std::make_shared<FakeScorer>(
      "most-free-cpu", [](const ScoreRequest& request, std::span<float> scores) {
        for (size_t i = 0; i < scores.size(); ++i) {
          scores[i] = request.candidates[i]->free.cpu.value() / 1000;
        }
        return absl::OkStatus();
      });
}

// A scoring server on a free port of 127.0.0.1, with an empty cluster.
class RunningService {
 public:
  // `decisions` and `admin` outlive this. Of `options` the address is passed over.
  explicit RunningService(ScorerPtr policy = MostFreeCpu(), bool expectations = true,
                          const DecisionReporter* decisions = nullptr,
                          const PolicyAdmin* admin = nullptr, ScoringServerOptions options = {})
      : state_([](const Node& node, const Demand& demand,
                  const WorkloadProfile&) { return ChooseGpusBestFit(node.free, demand); },
               std::make_shared<const WorkloadProfile>("empty", std::span<const ClassCount>()),
               metrics_, log_.logger()),
        policy_(RoutesTo(std::move(policy), "7")) {
    options.address = "127.0.0.1:0";
    options.expectations = expectations;
    auto server = ScoringServer::Start(options, state_, policy_, clock_, metrics_, log_.logger(),
                                       decisions, admin);
    EXPECT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
    channel_ = MakeChannel(target());
  }

  ScoringServer& server() { return *server_; }
  std::string target() const { return "127.0.0.1:" + std::to_string(server_->port()); }
  const std::shared_ptr<grpc::Channel>& channel() const { return channel_; }
  PolicySlot& policy() { return policy_; }
  const Metrics& metrics() const { return metrics_; }
  // Only once nobody logs any more.
  std::string logged() const { return log_.text(); }

  template <class Request, class Response>
  grpc::Status Call(grpc::Status (v1::Scoring::Stub::*method)(grpc::ClientContext*, const Request&,
                                                              Response*),
                    const Request& request, Response& response) {
    grpc::ClientContext context;
    return (v1::Scoring::NewStub(channel_).get()->*method)(&context, request, &response);
  }
  grpc::Status Filter(const v1::FilterRequest& request, v1::FilterResponse& response) {
    return Call(&v1::Scoring::Stub::Filter, request, response);
  }
  grpc::Status Score(const v1::ScoreRequest& request, v1::ScoreResponse& response) {
    return Call(&v1::Scoring::Stub::Score, request, response);
  }
  grpc::Status Explain(const v1::ExplainRequest& request, v1::ExplainResponse& response) {
    return Call(&v1::Scoring::Stub::Explain, request, response);
  }

  // Names of the nodes in the books in use.
  std::vector<std::string> Nodes() const {
    std::vector<std::string> names;
    const ClusterViewPtr view = state_.View();
    for (const auto& node : view->nodes()) names.push_back(node->name().value());
    return names;
  }

  grpc::health::v1::HealthCheckResponse::ServingStatus Health(const std::string& service) {
    grpc::ClientContext context;
    grpc::health::v1::HealthCheckRequest request;
    request.set_service(service);
    grpc::health::v1::HealthCheckResponse response;
    const grpc::Status status =
        grpc::health::v1::Health::NewStub(channel_)->Check(&context, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response.status();
  }

 private:
  const RealClock clock_;
  Metrics metrics_;
  CapturedLog log_;
  ClusterState state_;
  PolicySlot policy_;
  std::unique_ptr<ScoringServer> server_;
  std::shared_ptr<grpc::Channel> channel_;
};

// One feed, spoken by hand: also what no well-behaved feeder would say.
class RawFeed {
 public:
  explicit RawFeed(const RunningService& service)
      : stub_(v1::Cluster::NewStub(service.channel())), stream_(stub_->Feed(&context_)) {
    stream_->Read(&answer_);
  }
  ~RawFeed() {
    if (!ended_) {
      context_.TryCancel();
      AwaitEnd();
    }
  }

  // Sends the event under the next sequence number. False when the stream is over.
  bool Send(v1::FeedRequest event) {
    event.set_sequence(++sequence_);
    return SendAsIs(event);
  }
  bool SendAsIs(const v1::FeedRequest& event) { return stream_->Write(event); }

  bool Begin() {
    v1::FeedRequest event;
    event.mutable_begin_epoch()->set_feeder("a-test");
    return Send(event);
  }
  bool Complete() {
    v1::FeedRequest event;
    event.mutable_epoch_complete();
    return Send(event);
  }
  bool SendNode(const v1::NodeFacts& node) {
    v1::FeedRequest event;
    *event.mutable_node() = node;
    return Send(event);
  }
  bool SendPod(const v1::PodFacts& pod) {
    v1::FeedRequest event;
    *event.mutable_pod() = pod;
    return Send(event);
  }

  // Waits until everything that was sent is acknowledged. False when the stream is over.
  bool AwaitAcknowledged() {
    while (answer_.applied_sequence() < sequence_) {
      if (!stream_->Read(&answer_)) return false;
    }
    return true;
  }
  uint64_t epochs() const { return answer_.epochs(); }

  // Leaves in good order, whatever has been said.
  grpc::Status Close() {
    stream_->WritesDone();
    return AwaitEnd();
  }

  // Waits for the service to end the stream; gives its reason.
  grpc::Status AwaitEnd() {
    while (stream_->Read(&answer_)) {
    }
    ended_ = true;
    return stream_->Finish();
  }

 private:
  std::unique_ptr<v1::Cluster::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::FeedRequest, v1::FeedResponse>> stream_;
  v1::FeedResponse answer_;
  uint64_t sequence_ = 0;
  bool ended_ = false;
};

// Feeds one whole epoch and waits until it counts.
inline void FeedAll(RawFeed& feed, const std::vector<v1::NodeFacts>& nodes,
                    const std::vector<v1::PodFacts>& pods = {}) {
  ASSERT_TRUE(feed.Begin());
  for (const v1::NodeFacts& node : nodes) ASSERT_TRUE(feed.SendNode(node));
  for (const v1::PodFacts& pod : pods) ASSERT_TRUE(feed.SendPod(pod));
  ASSERT_TRUE(feed.Complete());
  ASSERT_TRUE(feed.AwaitAcknowledged());
}

}  // namespace berth
