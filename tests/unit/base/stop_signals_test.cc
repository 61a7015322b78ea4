#include "base/stop_signals.h"

#include <gtest/gtest.h>
#include <sys/types.h>
#include <unistd.h>

#include <future>
#include <thread>

namespace berth {
namespace {

TEST(StopSignals, WaitForEitherAndInterruptNothing) {
  const StopSignals stop;
  kill(getpid(), SIGINT);
  EXPECT_EQ(stop.Wait(), "SIGINT");
  kill(getpid(), SIGTERM);
  EXPECT_EQ(stop.Wait(), "SIGTERM");
}

// Libraries start threads before main, which do not block the signals and so are given them.
TEST(StopSignals, AreKeptForWaitWhateverThreadTheyMeet) {
  std::promise<void> ready, over;
  std::thread earlier([&] {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_UNBLOCK, &all, nullptr);
    ready.set_value();
    over.get_future().wait();
  });
  const StopSignals stop;
  ready.get_future().wait();
  for (int i = 0; i < 100; ++i) {
    kill(getpid(), SIGTERM);
    EXPECT_EQ(stop.Wait(), "SIGTERM");
  }
  over.set_value();
  earlier.join();
}

TEST(StopSignals, APeerThatWentAwayIsOnlyAnError) {
  const StopSignals stop;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  EXPECT_EQ(write(ends[1], "x", 1), -1);
  close(ends[1]);
}

}  // namespace
}  // namespace berth
