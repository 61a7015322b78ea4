#pragma once

#include <gtest/gtest.h>
#include <spdlog/sinks/null_sink.h>

#include <memory>
#include <string>

#include "cluster/books.h"
#include "example_cluster.h"

namespace berth {

// Books with best fit as the rule, and a look into them.
class BooksTest : public ::testing::Test {
 protected:
  GpuFreeList FreeGpus(const std::string& node) { return books_.Find(NodeName(node))->free.gpus; }
  GpuSet GpusOf(const std::string& uid) { return books_.SeatOf(PodUid(uid)).gpus; }
  bool Squeezed(const std::string& uid) { return books_.SeatOf(PodUid(uid)).squeezed; }

  int Oddities(const std::string& kind) {
    return static_cast<int>(
        metrics_.AddCounter("berth_cluster_oddities_total", "", {{"kind", kind}}).Value());
  }

  Metrics metrics_;
  Logger log_{"test", std::make_shared<spdlog::sinks::null_sink_mt>()};
  OddityLog oddities_{metrics_, log_};
  Books books_{BestFitChooser, EmptyProfile(), oddities_};
};

}  // namespace berth
