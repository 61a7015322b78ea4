#pragma once

#include <utility>
#include <vector>

#include "policy/decision.h"

namespace berth {

// Passes each decision on to several watchers.
class DecisionFan final : public DecisionSink {
 public:
  // All outlive this.
  explicit DecisionFan(std::vector<DecisionSink*> sinks) : sinks_(std::move(sinks)) {}

  void Offer(DecisionPtr decision) override {
    for (DecisionSink* sink : sinks_) sink->Offer(decision);
  }

 private:
  const std::vector<DecisionSink*> sinks_;
};

}  // namespace berth
