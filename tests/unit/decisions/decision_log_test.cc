#include "decisions/decision_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <latch>
#include <memory>
#include <thread>

#include "decisions/decision_reader.h"
#include "policy/heuristics.h"
#include "support/captured_log.h"
#include "support/fake_clock.h"
#include "support/fake_wall_clock.h"
#include "support/temp_directory.h"
#include "unit/decisions/decided.h"

namespace berth {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// As long as it lives, no file of this program grows.
class FullDisk {
 public:
  FullDisk() : ignored_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit full{.rlim_cur = 0, .rlim_max = before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &full);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, ignored_);
  }

 private:
  rlimit before_;
  void (*ignored_)(int);
};

class DecisionLogTest : public ::testing::Test {
 protected:
  std::unique_ptr<DecisionLog> Start() {
    return std::make_unique<DecisionLog>(file_, Retention(), clock_, wall_clock_, metrics_,
                                         log_.logger());
  }
  DecisionPtr Next() {
    return std::make_shared<const Decision>(Decide(policy_, view_, ++request_, wall_clock_.Now()));
  }

  bool Has(const std::string& line) const {
    return metrics_.Text().find(line + "\n") != std::string::npos;
  }
  void Await(const std::string& outcome, int count) {
    const std::string line =
        "berth_decisions_total{outcome=\"" + outcome + "\"} " + std::to_string(count);
    while (!Has(line)) std::this_thread::yield();
  }
  std::vector<uint64_t> Requests() {
    std::vector<uint64_t> requests;
    DecisionReader reader = DecisionReader::Open(file_).value();
    const std::vector<DecisionRecord> records = reader.Next(10'000).value();
    for (const DecisionRecord& record : records) {
      requests.push_back(record.request);
    }
    return requests;
  }

  const TempDirectory directory_;
  const std::string file_ = directory_.path() / "decisions.db";
  ScorerPtr policy_ = MakeBestFit();
  const ClusterViewPtr view_ = ViewOf({SmallNode("a"), SmallNode("b")}, SmallProfile());
  FakeClock clock_;
  FakeWallClock wall_clock_;
  Metrics metrics_;
  CapturedLog log_;
  uint64_t request_ = 0;
};

TEST_F(DecisionLogTest, WritesWhatWaitsWhenItEnds) {
  auto log = Start();
  for (int i = 0; i < 50; ++i) log->Offer(Next());
  log.reset();
  EXPECT_EQ(Requests().size(), 50u);
  EXPECT_TRUE(Has("berth_decisions_total{outcome=\"logged\"} 50"));
  EXPECT_TRUE(Has("berth_decision_log_up 1"));
  EXPECT_THAT(log_.Lines(), ElementsAre());
}

TEST_F(DecisionLogTest, DropsAndCountsWhatTheQueueHasNoRoomFor) {
  std::latch writing(1), go_on(1);
  std::atomic<bool> first = true;
  policy_ = std::make_shared<const FixedGpus>([&](const Node& node, const Demand& demand) {
    if (first.exchange(false)) writing.count_down();
    go_on.wait();
    return ChooseGpusBestFit(node.free, demand);
  });
  auto log = Start();
  log->Offer(Next());
  writing.wait();  // as on a disk that hangs
  for (size_t i = 0; i < DecisionQueue::kMost + 3; ++i) log->Offer(Next());
  EXPECT_TRUE(Has("berth_decisions_total{outcome=\"dropped\"} 3"));
  go_on.count_down();
  log.reset();
  EXPECT_EQ(Requests().size(), 1 + DecisionQueue::kMost);
}

TEST_F(DecisionLogTest, GoesDownOnAFullDiskAndComesBack) {
  auto log = Start();
  log->Offer(Next());
  Await("logged", 1);
  {
    const FullDisk full;
    log->Offer(Next());
    Await("failed", 1);
    EXPECT_TRUE(Has("berth_decision_log_up 0"));
    log->Offer(Next());
    Await("failed", 2);
    clock_.Advance(DecisionLog::kRetry);
    log->Offer(Next());
    Await("failed", 3);
  }
  log->Offer(Next());  // it is not time yet
  Await("failed", 4);
  clock_.Advance(DecisionLog::kRetry);
  log->Offer(Next());
  Await("logged", 2);
  log.reset();
  EXPECT_TRUE(Has("berth_decision_log_up 1"));
  EXPECT_THAT(Requests(), ElementsAre(1, 6));
  EXPECT_THAT(log_.Lines(),
              ElementsAre(AllOf(StartsWith("warning "), HasSubstr("decisions are not logged"),
                                HasSubstr(file_)),
                          AllOf(StartsWith("info "), HasSubstr("decisions are logged again"))));
}

TEST_F(DecisionLogTest, DoesNotTouchADamagedFileAndBeginsAnewOnceItIsMovedAway) {
  const std::string garbage(5'000, 'x');
  directory_.Write("decisions.db", garbage);
  auto log = Start();
  EXPECT_TRUE(Has("berth_decision_log_up 0"));
  log->Offer(Next());
  Await("failed", 1);
  EXPECT_EQ(std::filesystem::file_size(file_), garbage.size());

  std::filesystem::rename(file_, file_ + ".damaged");
  clock_.Advance(DecisionLog::kRetry);
  log->Offer(Next());
  Await("logged", 1);
  log.reset();
  EXPECT_THAT(Requests(), ElementsAre(2));
  EXPECT_THAT(log_.Lines(), ElementsAre(HasSubstr("is damaged, or no SQLite database"),
                                        HasSubstr("decisions are logged again")));
}

TEST_F(DecisionLogTest, TakesDecisionsFromManyThreads) {
  auto log = Start();
  {
    const DecisionPtr decision = Next();
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&] {
        for (int i = 0; i < 100; ++i) log->Offer(decision);
      });
    }
  }
  log.reset();
  EXPECT_EQ(Requests().size(), 400u);
}

}  // namespace
}  // namespace berth
