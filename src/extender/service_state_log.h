#pragma once

#include <mutex>
#include <string_view>

#include "base/log.h"
#include "extender/verb_metrics.h"

namespace berth {

// Says once when requests cannot be answered any more, and why, and once when they can again.
// Thread-safe.
class ServiceStateLog {
 public:
  explicit ServiceStateLog(Logger& log) : log_(log) {}

  void Note(Outcome outcome, std::string_view error);

 private:
  Logger& log_;
  std::mutex mutex_;
  Outcome last_ = Outcome::kAnswered;
};

}  // namespace berth
