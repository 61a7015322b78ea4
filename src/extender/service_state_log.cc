#include "extender/service_state_log.h"

namespace berth {

void ServiceStateLog::Note(Outcome outcome, std::string_view error) {
  // These say something about one request, not about who answers them.
  if (outcome == Outcome::kNotManaged || outcome == Outcome::kBadRequest) return;
  const std::lock_guard lock(mutex_);
  if (outcome == Outcome::kAnswered) {
    NoteAnswered();
  } else {
    NoteUnanswered(outcome, error);
  }
}

void ServiceStateLog::NoteAnswered() {
  if (said_ == Outcome::kAnswered) return;
  said_ = Outcome::kAnswered;
  log_.info("msg=\"requests are answered again\" unanswered={}", unanswered_);
  unanswered_ = 0;
}

void ServiceStateLog::NoteUnanswered(Outcome cause, std::string_view error) {
  ++unanswered_;
  if (cause == Outcome::kBreakerOpen) cause = Outcome::kDeadline;  // which is why it is open
  const Clock::TimePoint now = clock_.Now();
  if (cause == said_ || now < quiet_until_) return;
  said_ = cause;
  quiet_until_ = now + kQuiet;
  log_.warn(
      "msg=\"requests cannot be answered; kube-scheduler places pods without Berth\" cause={} "
      "error={}",
      NameOf(cause), Quoted(error));
}

}  // namespace berth
