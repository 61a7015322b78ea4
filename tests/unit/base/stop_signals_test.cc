#include "base/stop_signals.h"

#include <gtest/gtest.h>
#include <sys/types.h>
#include <unistd.h>

namespace berth {
namespace {

TEST(StopSignals, WaitForEitherAndInterruptNothing) {
  const StopSignals stop;
  kill(getpid(), SIGINT);
  EXPECT_EQ(stop.Wait(), "SIGINT");
  kill(getpid(), SIGTERM);
  EXPECT_EQ(stop.Wait(), "SIGTERM");
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
