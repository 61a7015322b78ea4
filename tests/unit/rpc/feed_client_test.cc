#include "rpc/feed_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <future>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "berth/v1/cluster.grpc.pb.h"
#include "unit/rpc/loopback_server.h"

namespace berth {
namespace {

using ::testing::HasSubstr;

using ServerStream = grpc::ServerReaderWriter<v1::FeedResponse, v1::FeedRequest>;

// Takes a stream, and does with it what the test says.
class FakeCluster final : public v1::Cluster::Service {
 public:
  explicit FakeCluster(std::function<grpc::Status(grpc::ServerContext&, ServerStream&)> serve)
      : serve_(std::move(serve)) {}

  grpc::Status Feed(grpc::ServerContext* context, ServerStream* stream) override {
    return serve_(*context, *stream);
  }

 private:
  const std::function<grpc::Status(grpc::ServerContext&, ServerStream&)> serve_;
};

void Acknowledge(ServerStream& stream, uint64_t sequence) {
  v1::FeedResponse response;
  response.set_applied_sequence(sequence);
  stream.Write(response);
}

// Returns once the stream is over.
void AwaitEnd(const FeedStream& stream) {
  std::promise<void> over;
  const std::stop_callback callback(stream.Over(), [&over] { over.set_value(); });
  over.get_future().wait();
}

const FeedEvent kEvents[] = {
    EpochBegins{},
    FactEvent(NodeFacts{.name = "n1"}),
    FactEvent(NodeGone{"n2"}),
    FactEvent(PodFacts{.uid = "u1"}),
    FactEvent(PodGone{"u2"}),
    EpochEnds{},
};

TEST(FeedStream, NumbersTheEventsAndTellsWhatWasApplied) {
  std::mutex mutex;
  std::vector<v1::FeedRequest> received;
  FakeCluster fake([&](grpc::ServerContext&, ServerStream& stream) {
    Acknowledge(stream, 0);
    v1::FeedRequest request;
    while (stream.Read(&request)) {
      {
        const std::scoped_lock lock(mutex);
        received.push_back(request);
      }
      Acknowledge(stream, request.sequence());
    }
    return grpc::Status::OK;
  });
  LoopbackServer server({&fake});
  {
    auto stream = OpenFeed(server.target(), "a-test");
    ASSERT_TRUE(stream.ok()) << stream.status();
    EXPECT_EQ((*stream)->Acknowledged(), 0u);
    for (const FeedEvent& event : kEvents) ASSERT_TRUE((*stream)->Send(event).ok());
    while ((*stream)->Acknowledged() < 6) std::this_thread::yield();
    EXPECT_FALSE((*stream)->Over().stop_requested());
    (*stream)->Finish();
    AwaitEnd(**stream);
  }
  const std::scoped_lock lock(mutex);
  ASSERT_EQ(received.size(), 6u);
  for (uint64_t i = 0; i < 6; ++i) EXPECT_EQ(received[i].sequence(), i + 1);
  EXPECT_EQ(received[0].begin_epoch().feeder(), "a-test");
  EXPECT_EQ(received[1].node().name(), "n1");
  EXPECT_EQ(received[2].node_gone(), "n2");
  EXPECT_EQ(received[3].pod().uid(), "u1");
  EXPECT_EQ(received[4].pod_gone(), "u2");
  EXPECT_TRUE(received[5].has_epoch_complete());
}

TEST(FeedStream, TellsWhyTheServiceEndedIt) {
  FakeCluster fake([](grpc::ServerContext&, ServerStream& stream) {
    Acknowledge(stream, 0);
    return grpc::Status(grpc::StatusCode::ABORTED, "superseded");
  });
  LoopbackServer server({&fake});
  auto stream = OpenFeed(server.target(), "a-test");
  ASSERT_TRUE(stream.ok()) << stream.status();
  AwaitEnd(**stream);
  const Status status = (*stream)->Send(EpochBegins{});
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
  EXPECT_THAT(status.message(), HasSubstr("superseded"));
}

TEST(FeedStream, AnEndWithoutAReasonIsAnErrorToo) {
  FakeCluster fake([](grpc::ServerContext&, ServerStream& stream) {
    Acknowledge(stream, 0);
    return grpc::Status::OK;
  });
  LoopbackServer server({&fake});
  auto stream = OpenFeed(server.target(), "a-test");
  ASSERT_TRUE(stream.ok()) << stream.status();
  AwaitEnd(**stream);
  EXPECT_EQ((*stream)->Send(EpochBegins{}).code(), absl::StatusCode::kUnavailable);
}

TEST(FeedStream, NoticesThatTheServiceWentAway) {
  FakeCluster fake([](grpc::ServerContext& context, ServerStream& stream) {
    Acknowledge(stream, 0);
    while (!context.IsCancelled()) std::this_thread::yield();
    return grpc::Status::CANCELLED;
  });
  auto server = std::make_unique<LoopbackServer>(std::vector<grpc::Service*>{&fake});
  auto stream = OpenFeed(server->target(), "a-test");
  ASSERT_TRUE(stream.ok()) << stream.status();
  server.reset();
  AwaitEnd(**stream);
  EXPECT_FALSE((*stream)->Send(EpochBegins{}).ok());
}

TEST(FeedStream, FinishFreesASendThatBlocks) {
  FakeCluster fake([](grpc::ServerContext& context, ServerStream& stream) {
    Acknowledge(stream, 0);
    while (!context.IsCancelled()) std::this_thread::yield();  // and never reads
    return grpc::Status::CANCELLED;
  });
  LoopbackServer server({&fake});
  auto opened = OpenFeed(server.target(), "a-test");
  ASSERT_TRUE(opened.ok()) << opened.status();
  FeedStream& stream = **opened;

  std::atomic<int> sent = 0;
  std::future<Status> end = std::async(std::launch::async, [&] {
    const FeedEvent large = FactEvent(NodeFacts{.name = std::string(1 << 20, 'n')});
    Status status;
    while ((status = stream.Send(large)).ok()) ++sent;
    return status;
  });
  while (sent == 0) std::this_thread::yield();
  stream.Finish();
  EXPECT_EQ(end.get().code(), absl::StatusCode::kCancelled);
}

TEST(OpenFeed, SaysThatTheServiceIsAway) {
  const std::string target = NobodysTarget();
  const auto stream = OpenFeed(target, "a-test");
  EXPECT_EQ(stream.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(stream.status().message(), HasSubstr(target));
}

TEST(OpenFeed, SaysWhyTheServiceTakesNoStream) {
  FakeCluster fake([](grpc::ServerContext&, ServerStream&) {
    return grpc::Status(grpc::StatusCode::UNAVAILABLE, "shutting down");
  });
  LoopbackServer server({&fake});
  const auto stream = OpenFeed(server.target(), "a-test");
  EXPECT_EQ(stream.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(stream.status().message(), HasSubstr("shutting down"));
}

}  // namespace
}  // namespace berth
