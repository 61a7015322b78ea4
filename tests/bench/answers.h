#pragma once

#include <string>

#include "bench/sections.h"
#include "demo/berth_processes.h"
#include "support/fake_api_server.h"

namespace berth {

// How long answers take, over loopback: gRPC as berth-extender calls it, and the extender's verbs
// as kube-scheduler calls them. Pods of the profile's mix ask one after the other, and each is
// bound to the node that came out best before the next one asks, as kube-scheduler does it; so
// every question meets a changed cluster. `policy` ends the fields' names.
Status MeasureAnswers(const BenchInput& input, const std::string& policy, FakeApiServer& api_server,
                      BerthProcesses& berth, Report& report);

}  // namespace berth
