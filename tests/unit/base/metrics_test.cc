#include "base/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth {
namespace {

using ::testing::HasSubstr;

TEST(Metrics, SameNameAndLabelsIsTheSameMetric) {
  Metrics metrics;
  metrics.AddCounter("berth_events_total", "Events.", {{"kind", "node"}}).Increment();
  metrics.AddCounter("berth_events_total", "Events.", {{"kind", "node"}}).Increment();
  metrics.AddCounter("berth_events_total", "Events.", {{"kind", "pod"}}).Increment();
  EXPECT_THAT(metrics.Text(), HasSubstr("berth_events_total{kind=\"node\"} 2"));
  EXPECT_THAT(metrics.Text(), HasSubstr("berth_events_total{kind=\"pod\"} 1"));
}

TEST(Metrics, TextIsWhatPrometheusScrapes) {
  Metrics metrics;
  metrics.AddGauge("berth_nodes", "Nodes known.").Set(3);
  metrics.AddLatency("berth_score_seconds", "Time to score.").Observe(0.001);
  const std::string text = metrics.Text();
  EXPECT_THAT(text, HasSubstr("# HELP berth_nodes Nodes known.\n# TYPE berth_nodes gauge\n"));
  EXPECT_THAT(text, HasSubstr("berth_score_seconds_count 1"));
}

}  // namespace
}  // namespace berth
