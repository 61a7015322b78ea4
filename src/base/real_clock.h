#pragma once

#include "berth/clock.h"

namespace berth {

// The machine's own clock; built in src/apps only.
class RealClock final : public Clock {
 public:
  TimePoint Now() const override;
};

// The time that the calling thread has spent on a processor, which a busy machine does not stretch.
class ThreadCpuClock final : public Clock {
 public:
  TimePoint Now() const override;
};

}  // namespace berth
