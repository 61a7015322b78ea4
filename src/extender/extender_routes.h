#pragma once

#include "extender/extender.h"

namespace httplib {
class Server;
}

namespace berth {

// POST /filter and /prioritize. `extender` outlives `server`.
void AddExtenderRoutes(httplib::Server& server, Extender& extender);

}  // namespace berth
