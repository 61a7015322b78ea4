#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "apps/berth/by_seed.h"
#include "sim/living_suite.h"

namespace berth {

using LivingRuns = std::span<const LivingSuiteRun>;

// Runs of each setting, in their order, and of each policy in it.
std::vector<std::vector<LivingRuns>> GroupBySettingAndPolicy(LivingRuns runs);

// A number of a run by which policies are compared.
struct LivingNumber {
  std::function<double(const LivingResult&)> of;
  bool more_is_better = false;
};

LivingNumber Allocated();  // in percent of all GPUs
LivingNumber MeanWait();   // of all jobs, in mean lifetimes
LivingNumber MeanWaitOf(JobSize size);
LivingNumber StillWaiting();  // jobs, at the horizon

// How one policy does in one setting, beside that of the heuristics which does best there.
// Heuristics are the policies that are built in, as far as they ran.
struct LivingComparison {
  BySeed numbers;
  std::string best;    // that heuristic, by the mean over its seeds; empty where none ran
  BySeed differences;  // to it, on the same arrivals and lifetimes
};

// `setting`: all runs of one setting, by policy; `runs` are one of them.
LivingComparison Compare(LivingRuns runs, std::span<const LivingRuns> setting,
                         const LivingNumber& number);

}  // namespace berth
