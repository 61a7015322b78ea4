#pragma once

#include <functional>

#include "base/metrics.h"
#include "berth/result.h"

namespace httplib {
class Server;
}

namespace berth {

// GET /healthz (200 while the process runs), /readyz (200 when `ready` is OK, else 503 with its
// message) and /metrics. `metrics` outlives `server`; `ready` is called from server threads.
void AddStatusRoutes(httplib::Server& server, const Metrics& metrics,
                     std::function<Status()> ready);

}  // namespace berth
