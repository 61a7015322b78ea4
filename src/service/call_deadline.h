#pragma once

#include <grpcpp/server_context.h>

#include "berth/clock.h"

namespace berth {

// When the caller stops waiting, on our own clock: gRPC keeps it on a clock of its own.
Clock::TimePoint DeadlineOf(const grpc::ServerContext& context, const Clock& clock);

}  // namespace berth
