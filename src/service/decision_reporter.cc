#include "service/decision_reporter.h"

#include <absl/strings/str_cat.h>

#include <chrono>
#include <utility>

namespace berth {
namespace {

std::string GuardOf(const DecisionReporter::Answer& answer) {
  const std::string& answered = answer.ranking.policy;
  if (answered.empty() || answered == answer.served->name()) return "";
  return absl::StrCat(std::string(answer.served->name()), " failed or was late");
}

}  // namespace

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
  std::string guard = GuardOf(answer);
  sink_.Offer({.request = ++last_request_,
               .time = wall_clock_.Now(),
               .pod = std::move(answer.pod),
               .demand = std::move(answer.demand),
               .cluster = std::move(answer.cluster),
               .candidates = std::move(answer.candidates),
               .refused = answer.refused,
               .served = std::move(answer.served),
               .ranking = std::move(answer.ranking),
               .guard = std::move(guard),
               .latency = clock_.Now() - answer.asked});
}

}  // namespace berth
