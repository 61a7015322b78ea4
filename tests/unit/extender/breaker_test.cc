#include "extender/breaker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fake_clock.h"

namespace berth {
namespace {

using ::testing::HasSubstr;

class BreakerTest : public ::testing::Test {
 protected:
  void Miss(int times = 1) {
    for (int i = 0; i < times; ++i) breaker_.Note(absl::DeadlineExceededError("late"));
  }
  void ExpectMetrics(int opened, int open) {
    const std::string text = metrics_.Text();
    EXPECT_THAT(text,
                HasSubstr("berth_extender_breaker_opened_total " + std::to_string(opened) + "\n"));
    EXPECT_THAT(text, HasSubstr("berth_extender_breaker_open " + std::to_string(open) + "\n"));
  }

  FakeClock clock_;
  Metrics metrics_;
  Breaker breaker_{clock_, metrics_};
};

TEST_F(BreakerTest, FewMissesOpenNothing) {
  Miss(Breaker::kMisses - 1);
  EXPECT_TRUE(breaker_.Allows());
  ExpectMetrics(0, 0);
}

TEST_F(BreakerTest, MissesInARowOpenItForAPause) {
  Miss(Breaker::kMisses);
  EXPECT_FALSE(breaker_.Allows());
  ExpectMetrics(1, 1);
  clock_.Advance(Breaker::kPause - std::chrono::nanoseconds(1));
  EXPECT_FALSE(breaker_.Allows());
}

TEST_F(BreakerTest, EveryAnswerBreaksTheRow) {
  for (const Status& answer : {Status(), Status(absl::UnavailableError("connection refused")),
                               Status(absl::InvalidArgumentError("node_names"))}) {
    Miss(Breaker::kMisses - 1);
    breaker_.Note(answer);
    Miss(Breaker::kMisses - 1);
    EXPECT_TRUE(breaker_.Allows()) << answer;
    breaker_.Note({});
  }
}

TEST_F(BreakerTest, AfterThePauseOneProbeIsLetThrough) {
  Miss(Breaker::kMisses);
  clock_.Advance(Breaker::kPause);
  EXPECT_TRUE(breaker_.Allows());
  EXPECT_FALSE(breaker_.Allows()) << "the probe is not back yet";
}

TEST_F(BreakerTest, AProbeInTimeClosesIt) {
  Miss(Breaker::kMisses);
  clock_.Advance(Breaker::kPause);
  EXPECT_TRUE(breaker_.Allows());
  breaker_.Note({});
  ExpectMetrics(1, 0);
  Miss(Breaker::kMisses - 1);
  EXPECT_TRUE(breaker_.Allows()) << "counting starts anew";
}

TEST_F(BreakerTest, AProbeTooLateStartsAnotherPause) {
  Miss(Breaker::kMisses);
  for (int pause = 0; pause < 5; ++pause) {
    clock_.Advance(Breaker::kPause);
    EXPECT_TRUE(breaker_.Allows());
    clock_.Advance(Breaker::kPause / 2);
    Miss();
    clock_.Advance(Breaker::kPause / 2);
    EXPECT_FALSE(breaker_.Allows()) << "the pause counts from the end of the probe";
    clock_.Advance(Breaker::kPause / 2);
  }
  ExpectMetrics(1, 1);
}

TEST_F(BreakerTest, AProbeThatNeverComesBackBlocksNoOther) {
  Miss(Breaker::kMisses);
  clock_.Advance(Breaker::kPause);
  EXPECT_TRUE(breaker_.Allows());
  clock_.Advance(Breaker::kPause);
  EXPECT_TRUE(breaker_.Allows());
}

}  // namespace
}  // namespace berth
