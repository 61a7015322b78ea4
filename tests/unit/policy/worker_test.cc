#include "policy/worker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <future>
#include <thread>

namespace berth {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

using Outcome = Worker::Outcome;

// A job that hangs until the test lets it go.
class Hang {
 public:
  std::function<void()> Job() const {
    return [released = released_] { released.wait(); };
  }

  void Release() { release_.set_value(); }

 private:
  std::promise<void> release_;
  std::shared_future<void> released_ = release_.get_future().share();
};

class WorkerTest : public ::testing::Test {
 protected:
  // A worker that hangs. Under load a thread may not get to begin in time: then another try.
  std::unique_ptr<Worker> StuckWorker(Hang& hang) {
    auto worker = std::make_unique<Worker>(stuck_);
    Outcome outcome;
    do {
      outcome = worker->Run(hang.Job(), milliseconds(1));
      EXPECT_NE(outcome, Outcome::kDone);
    } while (outcome == Outcome::kNotBegun);
    return worker;
  }

  Metrics metrics_;
  Gauge& gauge_ = metrics_.AddGauge("berth_stuck", "Stuck.");
  const std::shared_ptr<StuckWorkers> stuck_ = std::make_shared<StuckWorkers>(gauge_);
};

TEST_F(WorkerTest, RunsOneJobAfterTheOtherOnOneThread) {
  Worker worker(stuck_);
  std::thread::id first, second;
  EXPECT_EQ(worker.Run([&] { first = std::this_thread::get_id(); }, hours(1)), Outcome::kDone);
  EXPECT_EQ(worker.Run([&] { second = std::this_thread::get_id(); }, hours(1)), Outcome::kDone);
  EXPECT_EQ(first, second);
  EXPECT_NE(first, std::this_thread::get_id());
}

TEST_F(WorkerTest, FreesWhatTheJobOwnsBeforeItSaysDone) {
  Worker worker(stuck_);
  auto owned = std::make_shared<int>(1);
  const std::weak_ptr<int> watch = owned;
  EXPECT_EQ(worker.Run([owned = std::move(owned)] {}, hours(1)), Outcome::kDone);
  EXPECT_TRUE(watch.expired());
}

TEST_F(WorkerTest, LeavesAStuckJobBehindAndCountsIt) {
  Hang hang;
  StuckWorker(hang).reset();  // does not wait
  EXPECT_EQ(stuck_->count(), 1);
  EXPECT_EQ(gauge_.Value(), 1);
  hang.Release();
  while (stuck_->count() > 0) std::this_thread::yield();
  EXPECT_EQ(gauge_.Value(), 0);
}

// Without any time, whether the thread gets to begin is up to the machine: tries until it does not.
TEST_F(WorkerTest, DropsAJobThatDidNotBeginAndStaysFree) {
  for (;;) {
    Worker worker(stuck_);
    const auto dropped = std::make_shared<std::atomic<bool>>(true);
    if (worker.Run([dropped] { *dropped = false; }, std::chrono::nanoseconds(0)) !=
        Outcome::kNotBegun) {
      continue;
    }
    EXPECT_EQ(worker.Run([] {}, hours(1)), Outcome::kDone);
    EXPECT_TRUE(*dropped);
    EXPECT_EQ(dropped.use_count(), 1);
    break;
  }
  while (stuck_->count() > 0) std::this_thread::yield();
}

TEST_F(WorkerTest, OutlivesTheGauge) {
  Hang hang;
  StuckWorker(hang).reset();
  stuck_->Detach();
  EXPECT_EQ(gauge_.Value(), 0) << "its count is taken out";
  hang.Release();
  while (stuck_->count() > 0) std::this_thread::yield();
  EXPECT_EQ(gauge_.Value(), 0) << "and the gauge is left alone from then on";
}

}  // namespace
}  // namespace berth
