#include "service/decision_reporter.h"

#include <chrono>
#include <memory>
#include <utility>

#include "policy/guard_text.h"

namespace berth {

DecisionReporter::DecisionReporter(DecisionSink& sink, const Clock& clock,
                                   const WallClock& wall_clock)
    : sink_(sink),
      clock_(clock),
      wall_clock_(wall_clock),
      last_request_(static_cast<uint64_t>(
          std::chrono::duration_cast<std::chrono::microseconds>(wall_clock.Now().time_since_epoch())
              .count())) {}

void DecisionReporter::Report(Answer answer) const {
  if (!answer.demand.invalid.empty()) return;
  std::string guard = GuardText(answer.ranking.guard, answer.served->name());
  sink_.Offer(std::make_shared<const Decision>(Decision{.request = ++last_request_,
                                                        .time = wall_clock_.Now(),
                                                        .pod = std::move(answer.pod),
                                                        .demand = std::move(answer.demand),
                                                        .cluster = std::move(answer.cluster),
                                                        .candidates = std::move(answer.candidates),
                                                        .refused = answer.refused,
                                                        .served = std::move(answer.served),
                                                        .ranking = std::move(answer.ranking),
                                                        .guard = std::move(guard),
                                                        .latency = clock_.Now() - answer.asked}));
}

}  // namespace berth
