#include "extender/service_state_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/captured_log.h"
#include "support/fake_clock.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ServiceStateLogTest : public ::testing::Test {
 protected:
  void Note(Outcome outcome, int times = 3) {
    for (int i = 0; i < times; ++i) state_.Note(outcome, "why");
  }

  FakeClock clock_;
  CapturedLog log_;
  ServiceStateLog state_{clock_, log_.logger()};
};

TEST_F(ServiceStateLogTest, NothingToSayWhileAllIsWell) {
  Note(Outcome::kAnswered);
  Note(Outcome::kNotManaged);
  Note(Outcome::kBadRequest);
  EXPECT_THAT(log_.Lines(), IsEmpty());
}

TEST_F(ServiceStateLogTest, AnOutageIsOneLineAtItsStartAndOneAtItsEnd) {
  Note(Outcome::kUnavailable, 50);
  Note(Outcome::kBadRequest);  // says nothing about the service
  Note(Outcome::kAnswered);
  EXPECT_THAT(
      log_.Lines(),
      ElementsAre("warning msg=\"requests cannot be answered; kube-scheduler places pods without "
                  "Berth\" cause=unavailable error=\"why\"",
                  "info msg=\"requests are answered again\" unanswered=50"));
}

TEST_F(ServiceStateLogTest, AnotherCauseIsSaidOnceTheFirstHasLasted) {
  Note(Outcome::kUnavailable);
  Note(Outcome::kNotSynced);
  clock_.Advance(ServiceStateLog::kQuiet);
  Note(Outcome::kNotSynced);
  EXPECT_THAT(log_.Lines(),
              ElementsAre(HasSubstr("cause=unavailable"), HasSubstr("cause=not_synced")));
}

TEST_F(ServiceStateLogTest, TheBreakerAndItsProbesAreTheSameOutage) {
  Note(Outcome::kDeadline);
  for (int i = 0; i < 60; ++i) {
    clock_.Advance(std::chrono::seconds(1));
    Note(Outcome::kBreakerOpen, 100);
    Note(Outcome::kDeadline, 1);
  }
  EXPECT_THAT(log_.Lines(), ElementsAre(HasSubstr("cause=deadline")));
}

TEST_F(ServiceStateLogTest, AServiceThatComesAndGoesDoesNotFillTheLog) {
  for (int i = 0; i < 100; ++i) {
    clock_.Advance(std::chrono::milliseconds(ServiceStateLog::kQuiet) / 50);
    Note(Outcome::kDeadline, 1);
    Note(Outcome::kAnswered, 1);
  }
  EXPECT_THAT(log_.Lines(), ElementsAre(HasSubstr("cause=deadline"), HasSubstr("unanswered=1"),
                                        HasSubstr("cause=deadline"), HasSubstr("unanswered=50")));
}

}  // namespace
}  // namespace berth
