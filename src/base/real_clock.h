#pragma once

#include "berth/clock.h"

namespace berth {

// The machine's own clock; built in src/apps only.
class RealClock final : public Clock {
 public:
  TimePoint Now() const override;
};

}  // namespace berth
