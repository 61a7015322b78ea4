#pragma once

#include <filesystem>

#include "bench/busy_cluster.h"
#include "bench/report.h"
#include "bench/sizes.h"
#include "berth/result.h"
#include "berth/workload_profile.h"

namespace berth {

// What every section of the benchmark is given.
struct BenchInput {
  BenchSizes sizes;
  std::filesystem::path bin;  // where `berth` and `berth-extender` are
  WorkloadProfilePtr profile;
  const BusyCluster& cluster;  // of sizes.nodes nodes
};

// The sections, one file each. Each adds its numbers to the report; docs/performance.md says what
// they mean. Errors: a program did not start or did not answer.

// In this process: applying events, building views, ranking, the extender's JSON.
Status MeasureParts(const BenchInput& input, Report& report);
// In this process: what the decision log adds to ranking.
Status MeasureDecisions(const BenchInput& input, Report& report);
// In this process: what the guards of a policy add to its scores.
Status MeasureGuards(const BenchInput& input, Report& report);
// A learned policy in this process: encoding, its TorchScript form with and without what is
// remembered, and whole episodes of the simulator.
Status MeasureLearned(const BenchInput& input, Report& report);
// `berth serve` and berth-extender before an API server: the list and the memory, and then how long
// answers take, with the built-in policy and with the same as TorchScript.
Status MeasurePrograms(const BenchInput& input, Report& report);
// `berth serve` alone, fed as fast as it takes events.
Status MeasureFeed(const BenchInput& input, Report& report);

}  // namespace berth
