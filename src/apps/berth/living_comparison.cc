#include "apps/berth/living_comparison.h"

#include <tuple>

#include "apps/berth/group_runs.h"

namespace berth {
namespace {

BySeed NumbersOf(LivingRuns runs, const LivingNumber& number) {
  return NumbersBySeed(runs, [&](const LivingSuiteRun& run) { return number.of(run.result); });
}

// The best heuristic's runs; none where none ran.
LivingRuns BestHeuristic(std::span<const LivingRuns> setting, const LivingNumber& number) {
  LivingRuns best;
  double best_mean = 0;
  for (const LivingRuns runs : setting) {
    if (!FindSimPolicy(runs.front().policy.name).ok()) continue;
    const double mean = MeanOf(NumbersOf(runs, number)).mean;
    const bool is_better = number.more_is_better ? mean > best_mean : mean < best_mean;
    if (!best.empty() && !is_better) continue;
    best = runs;
    best_mean = mean;
  }
  return best;
}

}  // namespace

std::vector<std::vector<LivingRuns>> GroupBySettingAndPolicy(LivingRuns runs) {
  const auto setting_of = [](const LivingSuiteRun& run) {
    return std::tuple(run.setting.queue.name, run.setting.load);
  };
  std::vector<std::vector<LivingRuns>> settings;
  for (const LivingRuns setting : GroupRuns(runs, setting_of)) {
    settings.push_back(GroupByPolicy(setting));
  }
  return settings;
}

LivingNumber Allocated() {
  return {[](const LivingResult& result) { return 100 * result.allocated; }, true};
}

LivingNumber MeanWait() {
  return {[](const LivingResult& result) { return result.waits.mean; }};
}

LivingNumber MeanWaitOf(JobSize size) {
  return {[i = static_cast<size_t>(size)](const LivingResult& result) {
    return result.waits_by_size[i].mean;
  }};
}

LivingNumber StillWaiting() {
  return {[](const LivingResult& result) { return result.waits.still_waiting; }};
}

LivingComparison Compare(LivingRuns runs, std::span<const LivingRuns> setting,
                         const LivingNumber& number) {
  LivingComparison comparison{.numbers = NumbersOf(runs, number)};
  const LivingRuns best = BestHeuristic(setting, number);
  if (best.empty()) return comparison;
  comparison.best = best.front().policy.name;
  comparison.differences = Differences(comparison.numbers, NumbersOf(best, number));
  return comparison;
}

}  // namespace berth
