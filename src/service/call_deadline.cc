#include "service/call_deadline.h"

#include <grpc/support/time.h>

#include <chrono>

namespace berth {

Clock::TimePoint DeadlineOf(const grpc::ServerContext& context, const Clock& clock) {
  constexpr int64_t kForeverSeconds = 24 * 3600;
  const gpr_timespec deadline = gpr_convert_clock_type(context.raw_deadline(), GPR_CLOCK_MONOTONIC);
  const gpr_timespec left = gpr_time_sub(deadline, gpr_now(GPR_CLOCK_MONOTONIC));
  if (left.tv_sec > kForeverSeconds) return Clock::TimePoint::max();
  return clock.Now() + std::chrono::seconds(left.tv_sec) + std::chrono::nanoseconds(left.tv_nsec);
}

}  // namespace berth
