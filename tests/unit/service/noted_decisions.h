#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "policy/decision.h"

namespace berth {

// Keeps the decisions that it is offered for a test to read.
class NotedDecisions final : public DecisionSink {
 public:
  void Offer(DecisionPtr decision) override {
    const std::scoped_lock lock(mutex_);
    decisions_.push_back(*decision);
  }
  // All so far, once.
  std::vector<Decision> Take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(decisions_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<Decision> decisions_;
};

}  // namespace berth
