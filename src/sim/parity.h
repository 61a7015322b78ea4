#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "berth/result.h"
#include "sim/evaluation.h"
#include "sim/published_results.h"

namespace berth {

// How far one policy's runs are from the published ones, in points of allocation; at every percent
// of arrived demand.
struct Parity {
  std::string_view policy;
  int64_t runs = 0;
  double run = 0;         // of the run that is farthest off
  std::string run_where;  // such as "gpuspec33, seed 43, at 64 %"
  double mean = 0;        // of the mean of a trace's seeds that is farthest off
  std::string mean_where;
  // What is allowed. A policy that draws nodes at random is held to one mean, of all its runs.
  double run_limit = 0;
  double mean_limit = 0;

  bool Holds() const { return run <= run_limit && mean <= mean_limit; }
};

// Of each policy that was published, in the order of the runs. FGD may be 0.3 off in a run and 0.1
// in a mean, since its scores sit on a rounding step now and then; Random 0.3 on average; the
// others follow to the digit: 0.01. Errors: NOT_FOUND for a run that was not published.
Result<std::vector<Parity>> CompareWithPublished(const PublishedResults& published,
                                                 const std::vector<EvaluatedRun>& runs);

}  // namespace berth
