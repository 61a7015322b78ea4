#pragma once

#include <cstdint>
#include <mutex>
#include <string_view>

#include "base/log.h"
#include "berth/clock.h"
#include "extender/verb_metrics.h"

namespace berth {

// Says once when requests cannot be answered any more, and why, and once when they can again and
// how many went without an answer. Of a service that comes and goes it speaks at most every
// kQuiet. Thread-safe.
class ServiceStateLog {
 public:
  static constexpr std::chrono::seconds kQuiet{10};

  // The references outlive this.
  ServiceStateLog(const Clock& clock, Logger& log) : clock_(clock), log_(log) {}

  void Note(Outcome outcome, std::string_view error);

 private:
  void NoteAnswered();                                         // REQUIRES: mutex_ held
  void NoteUnanswered(Outcome cause, std::string_view error);  // REQUIRES: mutex_ held

  const Clock& clock_;
  Logger& log_;
  std::mutex mutex_;
  Outcome said_ = Outcome::kAnswered;  // what the last line was about
  int64_t unanswered_ = 0;             // since the last line that all is well
  Clock::TimePoint quiet_until_;
};

}  // namespace berth
