#include "apps/berth/progress_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "support/fake_clock.h"

namespace berth {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class ProgressLineTest : public ::testing::Test {
 protected:
  // What has been written since this was last called.
  std::string Written() {
    std::string text = out_.str();
    out_.str("");
    return text;
  }

  FakeClock clock_;
  std::ostringstream out_;
};

TEST_F(ProgressLineTest, RewritesOneLineOnATerminalAndTakesItAway) {
  {
    ProgressLine line("runs", true, out_, clock_);
    clock_.Advance(seconds(51));
    line.Show(408, 1'020);
    EXPECT_EQ(Written(), "\r\x1b[K408 of 1,020 runs, 40 %, 0:51 so far, about 1:17 left");
    clock_.Advance(seconds(1));
    line.Show(1'020, 1'020);
    EXPECT_EQ(Written(), "\r\x1b[K1,020 of 1,020 runs, 100 %, 0:52 so far, about 0:00 left");
  }
  EXPECT_EQ(Written(), "\r\x1b[K");
}

TEST_F(ProgressLineTest, IsARareLineOfItsOwnElsewhere) {
  {
    ProgressLine line("steps", false, out_, clock_);
    clock_.Advance(seconds(29));
    line.Show(1, 100);
    EXPECT_EQ(Written(), "");
    clock_.Advance(seconds(1));
    line.Show(2, 100);
    EXPECT_EQ(Written(), "2 of 100 steps, 2 %, 0:30 so far, about 24:30 left\n");
    clock_.Advance(seconds(20));
    line.Show(3, 100);
    EXPECT_EQ(Written(), "");
    clock_.Advance(seconds(3'600));
    line.Show(99, 100);
    EXPECT_EQ(Written(), "99 of 100 steps, 99 %, 1:00:50 so far, about 0:37 left\n");
  }
  EXPECT_EQ(Written(), "");
}

TEST_F(ProgressLineTest, WhatWasDoneBeforeTookNoneOfTheTime) {
  ProgressLine line("steps", false, out_, clock_, 80);
  clock_.Advance(seconds(30));
  line.Show(90, 100);
  EXPECT_EQ(Written(), "90 of 100 steps, 90 %, 0:30 so far, about 0:30 left\n");
}

TEST_F(ProgressLineTest, SaysWhatElseIsWorthToKnow) {
  ProgressLine line("runs", false, out_, clock_);
  clock_.Advance(seconds(30));
  line.Show(1, 2, "one was lost");
  EXPECT_EQ(Written(), "1 of 2 runs, 50 %, 0:30 so far, about 0:30 left; one was lost\n");
}

TEST_F(ProgressLineTest, DoesNotFlicker) {
  ProgressLine line("runs", true, out_, clock_);
  int shown = 0;
  for (size_t done = 1; done <= 1'000; ++done) {
    clock_.Advance(milliseconds(1));
    line.Show(done, 1'000);
    shown += Written().empty() ? 0 : 1;
  }
  EXPECT_EQ(shown, 5);
}

TEST_F(ProgressLineTest, WhatIsSaidStaysAboveTheLine) {
  ProgressLine line("runs", true, out_, clock_);
  line.Say("begun");
  EXPECT_EQ(Written(), "begun\n");
  clock_.Advance(seconds(1));
  line.Show(1, 2);
  Written();
  line.Say("half");
  EXPECT_EQ(Written(), "\r\x1b[Khalf\n") << "the line makes room";
}

TEST_F(ProgressLineTest, ShowsNothingOfWhatIsSoonOver) {
  for (const bool terminal : {false, true}) {
    ProgressLine line("runs", terminal, out_, clock_);
    clock_.Advance(milliseconds(150));
    line.Show(4, 4);
  }
  EXPECT_EQ(Written(), "");
}

}  // namespace
}  // namespace berth
