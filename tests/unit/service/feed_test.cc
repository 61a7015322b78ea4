#include <gmock/gmock.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "unit/service/running_service.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Feed, ACompleteEpochIsThePicture) {
  RunningService service;
  RawFeed feed(service);
  EXPECT_EQ(feed.epochs(), 0u);
  FeedAll(feed, {ManagedNode("n1", 8, 2), ManagedNode("n2", 8, 2)});
  EXPECT_EQ(feed.epochs(), 1u);
  EXPECT_THAT(service.Nodes(), ElementsAre("n1", "n2"));
}

TEST(Feed, ChangesCountAsTheyHappen) {
  RunningService service;
  RawFeed feed(service);
  FeedAll(feed, {ManagedNode("n1", 8, 2)});
  ASSERT_TRUE(feed.SendNode(ManagedNode("n2", 8, 2)));
  v1::FeedRequest gone;
  gone.set_node_gone("n1");
  ASSERT_TRUE(feed.Send(gone));
  ASSERT_TRUE(feed.AwaitAcknowledged());
  EXPECT_THAT(service.Nodes(), ElementsAre("n2"));
  EXPECT_EQ(feed.epochs(), 1u);
}

TEST(Feed, AnEpochDropsWhatItDoesNotMention) {
  RunningService service;
  RawFeed feed(service);
  FeedAll(feed, {ManagedNode("n1", 8, 2), ManagedNode("n2", 8, 2)});
  FeedAll(feed, {ManagedNode("n2", 8, 2), ManagedNode("n3", 8, 2)});
  EXPECT_EQ(feed.epochs(), 2u);
  EXPECT_THAT(service.Nodes(), ElementsAre("n2", "n3"));
}

TEST(Feed, AnEpochBegunAnewForgetsTheOneBegunBefore) {
  RunningService service;
  RawFeed feed(service);
  ASSERT_TRUE(feed.Begin());
  ASSERT_TRUE(feed.SendNode(ManagedNode("n1", 8, 2)));
  FeedAll(feed, {ManagedNode("n2", 8, 2)});
  EXPECT_EQ(feed.epochs(), 1u);
  EXPECT_THAT(service.Nodes(), ElementsAre("n2"));
}

// However the stream ends, an epoch that is not complete leaves what there was.
TEST(Feed, ABrokenEpochLeavesTheOldPicture) {
  const std::function<void(RawFeed&)> endings[] = {
      [](RawFeed& feed) { EXPECT_TRUE(feed.Close().ok()); },
      [](RawFeed& feed) {
        feed.SendAsIs({});  // breaks the rules
        EXPECT_EQ(feed.AwaitEnd().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
      },
      [](RawFeed&) {},  // is cut off when it goes out of scope
  };
  for (const auto& end : endings) {
    RunningService service;
    {
      RawFeed feed(service);
      FeedAll(feed, {ManagedNode("old", 8, 2)});
      ASSERT_TRUE(feed.Begin());
      ASSERT_TRUE(feed.SendNode(ManagedNode("new", 8, 2)));
      ASSERT_TRUE(feed.AwaitAcknowledged());
      end(feed);
    }
    EXPECT_THAT(service.Nodes(), ElementsAre("old"));
    EXPECT_TRUE(service.server().Ready().ok());

    RawFeed next(service);
    FeedAll(next, {ManagedNode("next", 8, 2)});
    EXPECT_EQ(next.epochs(), 2u);
    EXPECT_THAT(service.Nodes(), ElementsAre("next"));
  }
}

TEST(Feed, ANewerStreamSupersedesTheOlderAtOnce) {
  RunningService service;
  RawFeed older(service);
  FeedAll(older, {ManagedNode("n1", 8, 2)});
  ASSERT_TRUE(older.Begin());
  ASSERT_TRUE(older.SendNode(ManagedNode("of-the-older", 8, 2)));
  ASSERT_TRUE(older.AwaitAcknowledged());

  RawFeed newer(service);
  older.Complete();  // whether it can still be written or not, it no longer counts
  const grpc::Status end = older.AwaitEnd();
  EXPECT_EQ(end.error_code(), grpc::StatusCode::ABORTED);
  EXPECT_THAT(end.error_message(), HasSubstr("superseded"));
  EXPECT_THAT(service.Nodes(), ElementsAre("n1"));

  FeedAll(newer, {ManagedNode("n2", 8, 2)});
  EXPECT_EQ(newer.epochs(), 2u);
  EXPECT_THAT(service.Nodes(), ElementsAre("n2"));
  EXPECT_THAT(service.metrics().Text(), HasSubstr("berth_feed_superseded_total 1"));
}

TEST(Feed, BreakingTheRulesEndsTheStreamAndNamesTheField) {
  v1::FeedRequest begin, complete, node;
  begin.mutable_begin_epoch();
  complete.mutable_epoch_complete();
  *node.mutable_node() = ManagedNode("n1", 8, 2);
  const auto numbered = [](v1::FeedRequest event, uint64_t sequence) {
    event.set_sequence(sequence);
    return event;
  };
  struct Case {
    std::vector<v1::FeedRequest> events;
    std::string want;
  };
  const Case cases[] = {
      {{numbered(begin, 0)}, "sequence: is 0, must be 1"},
      {{numbered(begin, 2)}, "sequence: is 2, must be 1"},
      {{numbered(begin, 1), numbered(node, 1)}, "sequence: is 1, must be 2"},
      {{numbered(begin, 1), numbered(node, 3)}, "sequence: is 3, must be 2"},
      {{numbered(node, 1)}, "event: the first of a stream must be begin_epoch"},
      {{numbered(begin, 1), numbered(complete, 2), numbered(complete, 3)},
       "epoch_complete: there was no begin_epoch"},
      {{numbered(begin, 1), numbered({}, 2)}, "event: is missing"},
  };
  for (const Case& c : cases) {
    RunningService service;
    RawFeed feed(service);
    for (const v1::FeedRequest& event : c.events) ASSERT_TRUE(feed.SendAsIs(event));
    const grpc::Status end = feed.AwaitEnd();
    EXPECT_EQ(end.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << c.want;
    EXPECT_THAT(end.error_message(), HasSubstr(c.want));
  }
}

TEST(Feed, FactsThatNameNoObjectAreSkippedCountedAndLoggedOnce) {
  RunningService service;
  {
    RawFeed feed(service);
    ASSERT_TRUE(feed.Begin());
    v1::PodFacts nameless = ManagedPod("", 1, 500);
    nameless.set_name("trainer");
    v1::FeedRequest node_gone, pod_gone;
    node_gone.set_node_gone("");
    pod_gone.set_pod_gone("");
    for (int i = 0; i < 2; ++i) {
      ASSERT_TRUE(feed.SendNode(ManagedNode("", 8, 2)));
      ASSERT_TRUE(feed.Send(node_gone));
      ASSERT_TRUE(feed.SendPod(nameless));
      ASSERT_TRUE(feed.Send(pod_gone));
    }
    ASSERT_TRUE(feed.SendNode(ManagedNode("n1", 8, 2)));
    ASSERT_TRUE(feed.Complete());
    ASSERT_TRUE(feed.AwaitAcknowledged());
    ASSERT_TRUE(feed.Close().ok());
  }
  EXPECT_THAT(service.Nodes(), ElementsAre("n1"));
  EXPECT_THAT(service.metrics().Text(), HasSubstr("berth_feed_skipped_total{kind=\"node\"} 4"));
  EXPECT_THAT(service.metrics().Text(), HasSubstr("berth_feed_skipped_total{kind=\"pod\"} 4"));
  service.server().Drain(std::chrono::seconds(30));
  const std::string log = service.logged();
  EXPECT_THAT(log, HasSubstr("reason=\"pod.uid: is empty\" object=\"ml/trainer\""));
  size_t skips = 0;
  for (size_t at = 0; (at = log.find("skipped facts", at)) != std::string::npos; ++at) ++skips;
  EXPECT_EQ(skips, 4u) << log;
}

TEST(Feed, FactsThatAreTooLargeAreSkippedAndTheFeedGoesOn) {
  RunningService service;
  {
    RawFeed feed(service);
    ASSERT_TRUE(feed.Begin());
    ASSERT_TRUE(feed.SendNode(ManagedNode(std::string(254, 'n'), 8, 2)));
    v1::NodeFacts labelled = ManagedNode("labelled", 8, 2);
    for (int i = 0; i < 1000; ++i) (*labelled.mutable_labels())[std::to_string(i)] = "x";
    ASSERT_TRUE(feed.SendNode(labelled));
    v1::PodFacts novel = ManagedPod("novel", 1, 500);
    (*novel.mutable_annotations())["berth.dev/novel"] = std::string(1 << 20, 'x');
    ASSERT_TRUE(feed.SendPod(novel));
    ASSERT_TRUE(feed.SendNode(ManagedNode("n1", 8, 2)));
    ASSERT_TRUE(feed.Complete());
    ASSERT_TRUE(feed.AwaitAcknowledged());
    ASSERT_TRUE(feed.Close().ok());
  }
  EXPECT_THAT(service.Nodes(), ElementsAre("n1"));
  EXPECT_THAT(service.metrics().Text(), HasSubstr("berth_feed_skipped_total{kind=\"node\"} 2"));
  EXPECT_THAT(service.metrics().Text(), HasSubstr("berth_feed_skipped_total{kind=\"pod\"} 1"));
  service.server().Drain(std::chrono::seconds(30));
  EXPECT_THAT(service.logged(), HasSubstr("node.labels: has 1001 entries, may have 1000"));
}

// The service's own limit: this client has none.
TEST(Feed, AMessageOfMoreThan16MiBEndsTheStream) {
  RunningService service;
  grpc::ChannelArguments no_limit;
  no_limit.SetMaxSendMessageSize(-1);
  const auto stub = v1::Cluster::NewStub(
      grpc::CreateCustomChannel(service.target(), grpc::InsecureChannelCredentials(), no_limit));
  {
    grpc::ClientContext context;
    const auto stream = stub->Feed(&context);
    v1::FeedRequest event;
    event.mutable_node()->set_name(std::string(17 << 20, 'n'));
    stream->Write(event);
    v1::FeedResponse welcome;
    while (stream->Read(&welcome)) {
    }
    EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  }
  RawFeed feed(service);
  FeedAll(feed, {ManagedNode("n1", 8, 2)});
  EXPECT_THAT(service.Nodes(), ElementsAre("n1"));
}

TEST(Feed, ManyEventsAreAcknowledgedToTheLast) {
  RunningService service;
  RawFeed feed(service);
  ASSERT_TRUE(feed.Begin());
  for (int i = 0; i < 2'000; ++i) {
    ASSERT_TRUE(feed.SendNode(ManagedNode("n" + std::to_string(i), 8, 2)));
  }
  ASSERT_TRUE(feed.AwaitAcknowledged());
  EXPECT_THAT(service.Nodes(), IsEmpty()) << "the epoch is not complete";
  ASSERT_TRUE(feed.Complete());
  ASSERT_TRUE(feed.AwaitAcknowledged());
  EXPECT_EQ(service.Nodes().size(), 2'000u);
}

TEST(Feed, TellsWhetherAFeederIsConnected) {
  RunningService service;
  EXPECT_THAT(service.metrics().Text(), HasSubstr("berth_feed_connected 0"));
  RawFeed feed(service);
  EXPECT_THAT(service.metrics().Text(), HasSubstr("berth_feed_connected 1"));
  EXPECT_TRUE(feed.Close().ok());
  EXPECT_THAT(service.metrics().Text(), HasSubstr("berth_feed_connected 0"));
}

}  // namespace
}  // namespace berth
