#pragma once

#include <span>
#include <vector>

namespace berth {

// What comes after a step.
enum class StepEnd {
  kGoesOn,      // the next step
  kTerminated,  // nothing: it is over, and what would have come is worth 0
  kCutOff,      // what was not seen, since a limit was reached or the recording ended here
};

struct RatedStep {
  double reward = 0;
  double value = 0;  // what was expected to come, in the state before the step
  StepEnd end = StepEnd::kGoesOn;
  double value_after = 0;  // where it was cut off: the same in the state after it
};

struct Discounts {
  double reward = 0.99;  // gamma: what a reward a step later counts
  double trust = 0.95;   // lambda: 1 believes what happened, 0 the expected values
};

// How much better each step was than expected; adding its value gives what the expectation should
// have been. Steps of one episode after another. REQUIRES: the last one does not go on.
//
// Source: GAE (Schulman et al., "High-Dimensional Continuous Control Using Generalized Advantage
// Estimation", ICLR 2016), equation 16.
std::vector<double> Advantages(std::span<const RatedStep> steps, const Discounts& discounts);

// To mean 0 and standard deviation 1; all 0 where they do not differ.
void Standardise(std::span<double> values);

// 1: the values tell the returns; 0: no better than their mean does; below 0: worse than that.
// 0 where the returns do not differ. REQUIRES: as many of both.
double ExplainedVariance(std::span<const double> values, std::span<const double> returns);

}  // namespace berth
