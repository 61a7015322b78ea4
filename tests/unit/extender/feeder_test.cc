#include "extender/feeder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "support/captured_log.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// What a service saw and does, shared by the streams of one test.
class FakeService {
 public:
  // Waits until `count` events have come in over all streams.
  std::vector<std::string> Await(size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return seen_.size() >= count; });
    return seen_;
  }

  void AwaitAttempts(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return attempts_ >= count; });
  }

  // From now on, opening a feed gives this.
  void SetOpen(const Status& status) {
    const std::lock_guard lock(mutex_);
    open_ = status;
  }

  // One stream breaks at its nth event.
  void BreakOnceAt(size_t nth) {
    const std::lock_guard lock(mutex_);
    break_at_ = nth;
  }

  // Every stream acknowledges what it takes, or nothing.
  void Acknowledge(bool acknowledge) {
    const std::lock_guard lock(mutex_);
    acknowledge_ = acknowledge;
  }

  // Ends the open stream, as a service does that goes away while nothing happens.
  void EndStream() {
    std::stop_source over;
    {
      const std::lock_guard lock(mutex_);
      over = over_;
    }
    over.request_stop();
  }

  Result<std::unique_ptr<FeedStream>> Open();

 private:
  class Stream;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> seen_;
  int attempts_ = 0;
  Status open_;
  size_t break_at_ = 0;
  bool acknowledge_ = true;
  std::stop_source over_;  // of the newest stream
};

std::string Describe(const FeedEvent& event) {
  if (std::holds_alternative<EpochBegins>(event)) return "begin";
  if (std::holds_alternative<EpochEnds>(event)) return "end";
  const auto& fact = std::get<FactEvent>(event);
  if (const auto* node = std::get_if<NodeFacts>(&fact)) return "node " + node->name;
  if (const auto* pod = std::get_if<PodFacts>(&fact)) return "pod " + pod->uid;
  if (const auto* gone = std::get_if<NodeGone>(&fact)) return "no node " + gone->name;
  return "no pod " + std::get<PodGone>(fact).uid;
}

class FakeService::Stream final : public FeedStream {
 public:
  Stream(FakeService& service, std::stop_source over) : service_(service), over_(std::move(over)) {}

  Status Send(const FeedEvent& event) override {
    const std::lock_guard lock(service_.mutex_);
    if (over_.stop_requested()) return absl::UnavailableError("over");
    if (++sent_ == service_.break_at_) {
      service_.break_at_ = 0;
      return absl::UnavailableError("cut");
    }
    service_.seen_.push_back(Describe(event));
    service_.changed_.notify_all();
    return {};
  }
  uint64_t Acknowledged() const override {
    const std::lock_guard lock(service_.mutex_);
    return service_.acknowledge_ ? sent_ : 0;
  }
  std::stop_token Over() const override { return over_.get_token(); }
  void Finish() override { over_.request_stop(); }

 private:
  FakeService& service_;
  std::stop_source over_;
  uint64_t sent_ = 0;
};

Result<std::unique_ptr<FeedStream>> FakeService::Open() {
  const std::lock_guard lock(mutex_);
  ++attempts_;
  changed_.notify_all();
  if (!open_.ok()) return open_;
  over_ = std::stop_source();
  return std::make_unique<Stream>(*this, over_);
}

NodeFacts Node(const std::string& name) {
  NodeFacts node;
  node.name = name;
  return node;
}

PodFacts Pod(const std::string& uid) {
  PodFacts pod;
  pod.uid = uid;
  return pod;
}

class FeederTest : public ::testing::Test {
 protected:
  std::unique_ptr<Feeder> Start() {
    using std::chrono::milliseconds;
    return std::make_unique<Feeder>(
        store_, [this] { return service_.Open(); },
        FeederOptions{.first_pause = milliseconds(1), .longest_pause = milliseconds(4), .seed = 7},
        metrics_, log_.logger());
  }

  void Sync() {
    store_.ReplaceNodes({Node("n1"), Node("n2")});
    store_.ReplacePods({Pod("u1")});
  }

  FactStore store_;
  FakeService service_;
  Metrics metrics_;
  CapturedLog log_;
};

TEST_F(FeederTest, SendsTheWholePictureAndThenChanges) {
  const auto feeder = Start();
  Sync();
  service_.Await(5);
  store_.Apply(Pod("u2"));
  store_.Apply(PodGone{"u1"});
  store_.Apply(NodeGone{"n2"});
  EXPECT_THAT(service_.Await(8), ElementsAre("begin", "node n1", "node n2", "pod u1", "end",
                                             "pod u2", "no pod u1", "no node n2"));
}

TEST_F(FeederTest, ABrokenStreamIsOpenedAgainWithTheWholePicture) {
  Sync();
  service_.BreakOnceAt(3);
  const auto feeder = Start();
  EXPECT_THAT(service_.Await(7),
              ElementsAre("begin", "node n1", "begin", "node n1", "node n2", "pod u1", "end"));
  EXPECT_THAT(metrics_.Text(), HasSubstr("berth_extender_feed_broken_total 1\n"));
}

TEST_F(FeederTest, NoticesAServiceThatGoesAwayWhileNothingHappens) {
  Sync();
  const auto feeder = Start();
  service_.Await(5);
  service_.EndStream();
  const auto seen = service_.Await(10);
  EXPECT_EQ(seen[5], "begin");
  EXPECT_EQ(seen[9], "end");
}

TEST_F(FeederTest, KeepsTryingAServiceThatIsAwayAndWarnsOnce) {
  service_.SetOpen(absl::UnavailableError("connection refused"));
  Sync();
  auto feeder = Start();
  service_.AwaitAttempts(10);
  service_.SetOpen({});
  service_.Await(5);
  feeder.reset();  // nobody logs any more
  int warnings = 0;
  for (const std::string& line : log_.Lines()) warnings += line.starts_with("warning");
  EXPECT_EQ(warnings, 1) << log_.text();
  EXPECT_THAT(log_.text(), HasSubstr("connection refused"));
}

TEST_F(FeederTest, DeliveredOnceThePictureIsAcknowledgedAndFromThenOn) {
  service_.Acknowledge(false);
  const auto feeder = Start();
  EXPECT_FALSE(feeder->Delivered());
  Sync();
  service_.Await(5);
  EXPECT_FALSE(feeder->Delivered());
  service_.Acknowledge(true);
  while (!feeder->Delivered()) std::this_thread::yield();  // `end` was seen, not yet returned
  service_.Acknowledge(false);
  service_.EndStream();
  service_.Await(10);
  EXPECT_TRUE(feeder->Delivered());
}

TEST_F(FeederTest, APictureOfALostStreamDoesNotCount) {
  service_.Acknowledge(false);
  Sync();
  const auto feeder = Start();
  service_.Await(5);
  service_.SetOpen(absl::UnavailableError("away"));
  service_.EndStream();
  service_.AwaitAttempts(3);
  service_.Acknowledge(true);
  EXPECT_FALSE(feeder->Delivered());
}

// Whatever it is doing: the destructor returns (a test that hangs has failed).
TEST_F(FeederTest, StopsBeforeTheWatchHasSynced) {
  auto feeder = Start();
  service_.AwaitAttempts(1);
  feeder.reset();
}

TEST_F(FeederTest, StopsWhileItWaitsForEvents) {
  Sync();
  auto feeder = Start();
  service_.Await(5);
  feeder.reset();
  EXPECT_THAT(service_.Await(5), SizeIs(5));
}

TEST_F(FeederTest, StopsWhileItWaitsToTryAgain) {
  service_.SetOpen(absl::UnavailableError("away"));
  auto feeder = std::make_unique<Feeder>(
      store_, [this] { return service_.Open(); },
      FeederOptions{.first_pause = std::chrono::hours(1), .longest_pause = std::chrono::hours(1)},
      metrics_, log_.logger());
  service_.AwaitAttempts(1);
  feeder.reset();
}

}  // namespace
}  // namespace berth
