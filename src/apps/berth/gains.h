#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/berth/mean_and_error.h"
#include "sim/evaluation.h"

namespace berth {

// Where policies are held against FGD, in percent of the GPUs asked for: before the cluster is full
// nothing may be lost, after it there is something to win.
inline constexpr std::array<size_t, 8> kGainLoads = {50, 60, 70, 80, 90, 95, 100, 130};

// How many points a policy allocates more than FGD at one load: the mean over the seeds of the
// difference in the same order of arrivals.
struct Gain {
  std::string policy;
  std::string trace;  // empty: of the mean over all traces, seed by seed
  size_t load = 0;    // one of kGainLoads
  MeanAndError points;
  size_t above = 0, of = 0;  // seeds in which it is more, and seeds in all
};

// Of each policy but FGD, by policy, trace and load; several traces are followed by their mean.
// Where FGD did not run, or no order comes to that load, there is none. REQUIRES: the same policies
// on each trace.
std::vector<Gain> GainsOverFgd(std::span<const EvaluatedRun> runs);

// How many more of the pods of one class find no place in a whole run than with FGD, likewise.
struct MoreFailures {
  std::string policy;
  std::string trace;
  std::string_view of_class;  // "all", or NameOfFailureClass()
  MeanAndError pods;
  MeanAndError gpus;  // what those ask for
};

// Of each policy but FGD, by policy and trace: all pods, then each class.
std::vector<MoreFailures> FailuresBesideFgd(std::span<const EvaluatedRun> runs);

}  // namespace berth
