#include "extender/breaker.h"

namespace berth {

Breaker::Breaker(const Clock& clock, Metrics& metrics)
    : clock_(clock),
      opened_(metrics.AddCounter("berth_extender_breaker_opened_total",
                                 "Times the service missed so many deadlines in a row that it is "
                                 "only asked once a second.")),
      open_(metrics.AddGauge("berth_extender_breaker_open",
                             "1 while the service is only asked once a second.")) {}

bool Breaker::Allows() {
  const std::lock_guard lock(mutex_);
  if (misses_ < kMisses) return true;
  const Clock::TimePoint now = clock_.Now();
  if (now < next_probe_) return false;
  next_probe_ = now + kPause;  // also if this probe never comes back
  return true;
}

void Breaker::Note(const Status& answer) {
  const std::lock_guard lock(mutex_);
  if (!absl::IsDeadlineExceeded(answer)) {
    misses_ = 0;
    open_.Set(0);
    return;
  }
  next_probe_ = clock_.Now() + kPause;
  if (++misses_ != kMisses) return;
  opened_.Increment();
  open_.Set(1);
}

}  // namespace berth
