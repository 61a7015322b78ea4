#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "berth/result.h"
#include "sim/in_parallel.h"
#include "sim/lagged_run.h"
#include "sim/packing_run.h"

namespace berth {

// A workload with a name, and the order of events for each seed.
struct SeededTrace {
  struct Seed {
    uint64_t seed = 0;
    EventOrder order;
  };

  std::string name;
  Trace trace;
  std::vector<Seed> seeds;
};

// One policy on one trace in the order of one seed.
struct EvaluatedRun {
  SimPolicy policy;
  std::string trace;
  uint64_t seed = 0;
  PackingResult result;
  std::optional<PackingRecord> record;  // where it was asked for
  std::vector<Node> nodes;              // at the end; likewise, and only of the first seed
};

enum class Detail {
  kResults,
  kPictures,  // also what there is to see on the way, which takes longer
};

// Runs every policy on every trace and seed; the result does not depend on the number of threads.
// Sorted by trace, policy and seed as given. Errors: the first of a run, named.
Result<std::vector<EvaluatedRun>> Evaluate(const std::vector<SimPolicy>& policies,
                                           const std::vector<SeededTrace>& traces,
                                           const Parallel& parallel,
                                           Detail detail = Detail::kResults);

// The same where the service learns from a watch (RunLagged). The policies are some that it has
// (MakeHeuristic). Errors also: NOT_FOUND for one that it does not have.
Result<std::vector<EvaluatedRun>> EvaluateLagged(const std::vector<SimPolicy>& policies,
                                                 const std::vector<SeededTrace>& traces,
                                                 const Lag& lag, const Parallel& parallel);

}  // namespace berth
