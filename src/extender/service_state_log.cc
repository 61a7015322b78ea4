#include "extender/service_state_log.h"

namespace berth {

void ServiceStateLog::Note(Outcome outcome, std::string_view error) {
  // These say something about one request, not about who answers them.
  if (outcome == Outcome::kNotManaged || outcome == Outcome::kBadRequest) return;
  const std::lock_guard lock(mutex_);
  if (outcome == last_) return;
  last_ = outcome;
  if (outcome == Outcome::kAnswered) {
    log_.info("msg=\"requests are answered again\"");
  } else {
    log_.warn("msg=\"requests cannot be answered\" cause={} error={}", NameOf(outcome),
              Quoted(error));
  }
}

}  // namespace berth
