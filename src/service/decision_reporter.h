#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "berth/clock.h"
#include "berth/wall_clock.h"
#include "policy/decision.h"

namespace berth {

// Tells those who watch decisions what the service has answered. Thread-safe; as quick as the sink.
class DecisionReporter {
 public:
  // All outlive this.
  DecisionReporter(DecisionSink& sink, const Clock& clock, const WallClock& wall_clock);

  // What is known when a question was answered.
  struct Answer {
    Clock::TimePoint asked;
    DecidedPod pod;
    Demand demand;
    ClusterViewPtr cluster;
    std::vector<const Node*> candidates;
    uint32_t refused = 0;
    ServedPolicyPtr served;  // who was asked first
    Ranking ranking;
  };

  // A pod that no node can ever take is passed over: nothing was decided.
  void Report(Answer answer) const;

 private:
  DecisionSink& sink_;
  const Clock& clock_;
  const WallClock& wall_clock_;
  // Counts from the microsecond of the start on: larger than all numbers before it, since nobody
  // answers a million questions a second.
  mutable std::atomic<uint64_t> last_request_;
};

}  // namespace berth
