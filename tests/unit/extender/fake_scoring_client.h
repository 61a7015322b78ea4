#pragma once

#include <atomic>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "rpc/scoring_client.h"

namespace berth {

// Answers as the test says; by default nothing is refused and the order is the request's.
class FakeScoringClient final : public ScoringClient {
 public:
  using Names = std::span<const std::string>;

  Result<FilterAnswer> Filter(const PodFacts& pod, Names nodes) override {
    ++asked;
    return on_filter(pod, nodes);
  }
  Result<ScoreAnswer> Score(const PodFacts& pod, Names nodes) override {
    ++asked;
    return on_score(pod, nodes);
  }
  Status Ready() override { return ready; }

  std::function<Result<FilterAnswer>(const PodFacts&, Names)> on_filter =
      [](const PodFacts&, Names) { return FilterAnswer{}; };
  std::function<Result<ScoreAnswer>(const PodFacts&, Names)> on_score = [](const PodFacts&,
                                                                           Names nodes) {
    ScoreAnswer answer{.order = std::vector<uint32_t>(nodes.size()),
                       .feasible = static_cast<uint32_t>(nodes.size())};
    std::iota(answer.order.begin(), answer.order.end(), 0);
    return answer;
  };
  Status ready;
  std::atomic<int> asked{0};
};

}  // namespace berth
