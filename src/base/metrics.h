#pragma once

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <map>
#include <string>

namespace berth {

using prometheus::Counter;
using prometheus::Gauge;
using prometheus::Histogram;

// The metrics of one program (or of one test), in Prometheus' terms. Passed by reference; knows
// nobody. Asking again with the same name and labels gives the same metric. Thread-safe. What is
// returned lives as long as the Metrics.
class Metrics {
 public:
  using Labels = std::map<std::string, std::string>;

  // Names start with "berth_"; counters end in "_total", durations in "_seconds".
  Counter& AddCounter(const std::string& name, const std::string& help, const Labels& labels = {});
  Gauge& AddGauge(const std::string& name, const std::string& help, const Labels& labels = {});
  // Buckets from 50 microseconds to 5 seconds.
  Histogram& AddLatency(const std::string& name, const std::string& help,
                        const Labels& labels = {});

  // The exposition format that Prometheus scrapes.
  std::string Text() const;

 private:
  prometheus::Registry registry_;
};

}  // namespace berth
