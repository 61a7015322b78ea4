#include "ppo/advantages.h"

#include <cmath>
#include <numeric>

#include "base/check.h"

namespace berth {
namespace {

double MeanOf(std::span<const double> values) {
  return std::reduce(values.begin(), values.end()) / static_cast<double>(values.size());
}

double VarianceOf(std::span<const double> values) {
  const double mean = MeanOf(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size());
}

}  // namespace

std::vector<double> Advantages(std::span<const RatedStep> steps, const Discounts& discounts) {
  BERTH_CHECK(steps.empty() || steps.back().end != StepEnd::kGoesOn, "the last step is an end");
  std::vector<double> advantages(steps.size());
  for (size_t i = steps.size(); i-- > 0;) {
    const RatedStep& step = steps[i];
    double after = 0, later = 0;  // the value after it, and the advantage of the step after it
    if (step.end == StepEnd::kCutOff) after = step.value_after;
    if (step.end == StepEnd::kGoesOn) {
      after = steps[i + 1].value;
      later = advantages[i + 1];
    }
    const double surprise = step.reward + discounts.reward * after - step.value;
    advantages[i] = surprise + discounts.reward * discounts.trust * later;
  }
  return advantages;
}

void Standardise(std::span<double> values) {
  if (values.empty()) return;
  constexpr double kTiny = 1e-8;
  const double mean = MeanOf(values), deviation = std::sqrt(VarianceOf(values));
  for (double& value : values) value = (value - mean) / (deviation + kTiny);
}

double ExplainedVariance(std::span<const double> values, std::span<const double> returns) {
  const double variance = returns.empty() ? 0 : VarianceOf(returns);
  if (variance == 0) return 0;
  std::vector<double> unexplained(returns.begin(), returns.end());
  for (size_t i = 0; i < values.size(); ++i) unexplained[i] -= values[i];
  return 1 - VarianceOf(unexplained) / variance;
}

}  // namespace berth
