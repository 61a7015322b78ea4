#include "cluster/oddity_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include <algorithm>
#include <sstream>

namespace berth {
namespace {

using ::testing::HasSubstr;

class OddityLogTest : public ::testing::Test {
 protected:
  long Lines() const {
    const std::string text = logged_.str();
    return std::count(text.begin(), text.end(), '\n');
  }

  Metrics metrics_;
  std::ostringstream logged_;
  Logger log_{"test", std::make_shared<spdlog::sinks::ostream_sink_st>(logged_)};
  OddityLog oddities_{metrics_, log_};
};

TEST_F(OddityLogTest, LogsEachKindOncePerObject) {
  oddities_.Record(Oddity::kPodParked, "p", "");
  oddities_.Record(Oddity::kPodParked, "p", "");
  oddities_.Record(Oddity::kPodMoved, "p", "");
  oddities_.Record(Oddity::kPodParked, "q", "");
  EXPECT_EQ(Lines(), 3);
  EXPECT_THAT(metrics_.Text(), HasSubstr("berth_cluster_oddities_total{kind=\"pod_parked\"} 3\n"));
}

TEST_F(OddityLogTest, KnowsAMessageForEveryKind) {
  const std::pair<Oddity, const char*> kinds[] = {
      {Oddity::kPodParked, "pod_parked"},
      {Oddity::kPodMoved, "pod_moved"},
      {Oddity::kPodUnbound, "pod_unbound"},
      {Oddity::kPodAfterGone, "pod_after_gone"},
      {Oddity::kPodInvalid, "pod_invalid"},
      {Oddity::kPodOvercommitted, "pod_overcommitted"},
      {Oddity::kNodeGoneWithPods, "node_gone_with_pods"},
      {Oddity::kNodeReshaped, "node_reshaped"},
      {Oddity::kNodeOutOfRange, "node_out_of_range"},
      {Oddity::kGpuChoiceImpossible, "gpu_choice_impossible"}};
  for (const auto& [oddity, kind] : kinds) {
    oddities_.Record(oddity, "object", "detail");
    EXPECT_THAT(logged_.str(), HasSubstr(std::string("kind=") + kind + " "));
    EXPECT_THAT(metrics_.Text(), HasSubstr(std::string("{kind=\"") + kind + "\"} 1\n"));
  }
}

TEST_F(OddityLogTest, QuotesWhatComesFromOutside) {
  oddities_.Record(Oddity::kPodParked, "a\nb", "say \"no\"");
  EXPECT_EQ(Lines(), 1);
  EXPECT_THAT(logged_.str(), HasSubstr("object=\"a\\nb\""));
}

TEST_F(OddityLogTest, ForgetsRatherThanGrowsWithoutBound) {
  for (int i = 0; i < 10'000; ++i) oddities_.Record(Oddity::kPodParked, std::to_string(i), "");
  const long lines = Lines();
  oddities_.Record(Oddity::kPodParked, "one more", "");
  oddities_.Record(Oddity::kPodParked, "0", "");
  EXPECT_EQ(Lines(), lines + 2);
}

}  // namespace
}  // namespace berth
