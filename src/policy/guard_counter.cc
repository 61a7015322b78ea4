#include "policy/guard_counter.h"

#include <string>

#include "base/check.h"

namespace berth {
namespace {

std::string CauseOf(Guard guard) {
  switch (guard) {
    case Guard::kNone:
      break;
    case Guard::kError:
      return "error";
    case Guard::kDeadline:
      return "deadline";
    case Guard::kNotFinite:
      return "not_finite";
    case Guard::kRegret:
      return "regret";
    case Guard::kRanges:
      return "ranges";
  }
  BERTH_CHECK(false, "only a guard that steps in is counted");
  return "";
}

}  // namespace

Counter& AddGuardCounter(Metrics& metrics, std::string_view policy, Guard guard) {
  return metrics.AddCounter("berth_policy_fallbacks_total",
                            "Requests that the fallback policy answered.",
                            {{"policy", std::string(policy)}, {"cause", CauseOf(guard)}});
}

}  // namespace berth
