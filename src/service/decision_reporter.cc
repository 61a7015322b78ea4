#include "service/decision_reporter.h"

#include <chrono>
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
  std::string guard = GuardText(answer.ranking.guard, answer.in_charge);
  sink_.Offer({.request = ++last_request_,
               .time = wall_clock_.Now(),
               .pod = {.namespace_name = std::move(answer.pod.namespace_name),
                       .name = std::move(answer.pod.name),
                       .uid = std::move(answer.pod.uid),
                       .owner = std::move(answer.pod.owner)},
               .demand = std::move(answer.demand),
               .cluster = std::move(answer.cluster),
               .candidates = std::move(answer.candidates),
               .refused = answer.refused,
               .ranking = std::move(answer.ranking),
               .guard = std::move(guard),
               .latency = clock_.Now() - answer.asked});
}

}  // namespace berth
