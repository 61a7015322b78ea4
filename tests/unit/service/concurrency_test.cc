// Feeding and asking at once, without a network: what gRPC itself does with threads is its own
// business, and hidden from ThreadSanitizer.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "base/real_clock.h"
#include "cluster/gpu_choice.h"
#include "service/feed_session.h"
#include "service/scoring_service.h"
#include "support/captured_log.h"
#include "support/fake_scorer.h"
#include "support/served.h"
#include "unit/service/facts.h"

namespace berth {
namespace {

constexpr int kNodes = 20;
constexpr int kRounds = 20;

class FeedingAndAsking : public ::testing::Test {
 protected:
  void Apply(v1::FeedRequest event) {
    event.set_sequence(session_.applied() + 1);
    const Status status = session_.Apply(event);
    ASSERT_TRUE(status.ok()) << status;
  }

  // Every node, each with a pod on it when `occupied`.
  void FeedEpoch(bool occupied) {
    v1::FeedRequest begin, complete;
    begin.mutable_begin_epoch();
    complete.mutable_epoch_complete();
    Apply(begin);
    for (const std::string& name : names_) {
      v1::FeedRequest node, pod;
      *node.mutable_node() = ManagedNode(name, 8, 1);
      Apply(node);
      *pod.mutable_pod() = ManagedPod("pod-of-" + name, 1, 600, name);
      if (occupied) Apply(pod);
    }
    Apply(complete);
  }

  // Whichever moment a question meets, all nodes have room for the pod, or none has.
  void AskUntilDone() {
    const auto filter = AskAbout<v1::FilterRequest>(ManagedPod("p", 1, 500), names_);
    const auto score = AskAbout<v1::ScoreRequest>(ManagedPod("p", 1, 500), names_);
    const auto explain = AskAbout<v1::ExplainRequest>(ManagedPod("p", 1, 500), {});
    while (!done_) {
      grpc::ServerContext context;
      v1::FilterResponse filtered;
      EXPECT_TRUE(service_.Filter(&context, &filter, &filtered).ok());
      EXPECT_THAT(filtered.refused_size() == 0 ? 0 : filtered.refused(0).nodes_size(),
                  ::testing::AnyOf(0, kNodes));
      v1::ScoreResponse scored;
      EXPECT_TRUE(service_.Score(&context, &score, &scored).ok());
      EXPECT_THAT(scored.feasible(), ::testing::AnyOf(0u, unsigned{kNodes}));
      v1::ExplainResponse explained;
      EXPECT_TRUE(service_.Explain(&context, &explain, &explained).ok());
      EXPECT_EQ(explained.nodes_size(), kNodes);
      ++asked_;
    }
  }

  static std::vector<std::string> Names() {
    std::vector<std::string> names;
    for (int i = 0; i < kNodes; ++i) names.push_back("n" + std::to_string(i));
    return names;
  }

  const std::vector<std::string> names_ = Names();
  const RealClock clock_;
  Metrics metrics_;
  CapturedLog log_;
  ClusterState state_{[](const Node& node, const Demand& demand, const WorkloadProfile&) {
                        return ChooseGpusBestFit(node.free, demand);
                      },
                      std::make_shared<const WorkloadProfile>("", std::span<const ClassCount>()),
                      metrics_, log_.logger()};
  FeedSession session_{state_, metrics_, log_.logger()};
  PolicySlot policy_{RoutesTo(ConstantScorer("0", 0))};
  ScoringService service_{state_, policy_, /*expect=*/true, clock_, metrics_, nullptr};
  std::atomic<bool> done_ = false;
  std::atomic<int> asked_ = 0;
};

TEST_F(FeedingAndAsking, EveryAnswerIsOfOneMoment) {
  FeedEpoch(false);
  std::vector<std::jthread> askers;
  for (int i = 0; i < 3; ++i) askers.emplace_back([this] { AskUntilDone(); });
  for (int round = 0; round < kRounds; ++round) {
    // One question at least between two epochs, so that they truly meet.
    for (const int before = asked_; asked_ == before;) std::this_thread::yield();
    FeedEpoch(round % 2 == 0);
  }
  done_ = true;
}

// Each policy gives its own number to every node, so an answer tells of whom it is.
TEST_F(FeedingAndAsking, EveryAnswerIsOfOnePolicy) {
  FeedEpoch(false);
  const auto score = AskAbout<v1::ScoreRequest>(ManagedPod("p", 1, 500), names_);
  const auto ask_until_done = [&] {
    while (!done_) {
      grpc::ServerContext context;
      v1::ScoreResponse scored;
      EXPECT_TRUE(service_.Score(&context, &score, &scored).ok());
      EXPECT_EQ(scored.scores_size(), kNodes);
      for (const float one : scored.scores()) {
        EXPECT_EQ(std::to_string(static_cast<int>(one)), scored.policy());
      }
      ++asked_;
    }
  };
  std::vector<std::jthread> askers;
  for (int i = 0; i < 3; ++i) askers.emplace_back(ask_until_done);
  for (int round = 1; round <= 10 * kRounds; ++round) {
    for (const int before = asked_; asked_ == before;) std::this_thread::yield();
    policy_.Swap(RoutesTo(ConstantScorer(std::to_string(round), static_cast<float>(round))));
  }
  done_ = true;
}

}  // namespace
}  // namespace berth
