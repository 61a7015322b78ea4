#include "apps/berth/living_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apps/berth/living_comparison.h"

namespace berth {
namespace {

using Json = nlohmann::json;

// "best", or the difference to it; "-" where there is none.
std::string BesideBest(const LivingComparison& comparison, std::string_view policy, int digits) {
  if (comparison.best == policy) return "best";
  if (comparison.differences.empty()) return "-";
  const MeanAndError difference = MeanOf(comparison.differences);
  return fmt::format("{:+.{}f}±{:.{}f}", difference.mean, digits, difference.standard_error,
                     digits);
}

std::string TableHead() {
  std::string head = fmt::format(
      "Means over the seeds; waits in mean lifetimes of a pod. Played are {} of those, the first "
      "{}\n"
      "are warm-up. Beside GPUs in use and wait: the difference to the heuristic that does best "
      "in\n"
      "it, on the same arrivals and lifetimes, ± its standard error. Then waits by size of job.\n"
      "{:9} {:>5}  {:18} {:>8} {:>12} {:>8} {:>15} {:>8}",
      kLivingSuiteSpan.length, kLivingSuiteSpan.warm_up, "queue", "load", "policy", "GPU used", "",
      "wait", "", "waiting");
  for (size_t i = 0; i < kJobSizes; ++i) {
    head += fmt::format(" {:>9}", NameOf(static_cast<JobSize>(i)));
  }
  return head + "\n";
}

std::string TableRow(LivingRuns runs, std::span<const LivingRuns> setting) {
  const LivingSuiteRun& run = runs.front();
  const auto compare = [&](const LivingNumber& number) { return Compare(runs, setting, number); };
  const LivingComparison allocated = compare(Allocated()), wait = compare(MeanWait());
  std::string row = fmt::format(
      "{:9} {:5.2f}  {:18} {:6.2f} % {:>12} {:8.4f} {:>15} {:8.0f}", run.setting.queue.name,
      run.setting.load, run.policy.name, MeanOf(allocated.numbers).mean,
      BesideBest(allocated, run.policy.name, 2), MeanOf(wait.numbers).mean,
      BesideBest(wait, run.policy.name, 4), MeanOf(compare(StillWaiting()).numbers).mean);
  for (size_t i = 0; i < kJobSizes; ++i) {
    const LivingComparison of_size = compare(MeanWaitOf(static_cast<JobSize>(i)));
    row += fmt::format(" {:9.4f}", MeanOf(of_size.numbers).mean);
  }
  return row + "\n";
}

// What no length of a run would show.
std::string Unsteady(const LivingSetting& setting) {
  return fmt::format(
      "{} at load {:.2f} has no steady state: its queue grows without end, so waits there depend "
      "on\nhow long one looks, here until {} mean lifetimes.\n",
      setting.queue.name, setting.load, kLivingSuiteSpan.length);
}

Json WaitsJson(const Waits& waits) {
  return {
      {"jobs", waits.jobs}, {"still_waiting", waits.still_waiting}, {"mean_lifetimes", waits.mean}};
}

Json RunJson(const LivingSuiteRun& run) {
  Json by_size = Json::object();
  for (size_t i = 0; i < kJobSizes; ++i) {
    by_size[std::string(NameOf(static_cast<JobSize>(i)))] = WaitsJson(run.result.waits_by_size[i]);
  }
  return {{"queue", run.setting.queue.name},    {"load", run.setting.load},
          {"policy", run.policy.name},          {"seed", run.seed},
          {"allocated", run.result.allocated},  {"waits", WaitsJson(run.result.waits)},
          {"waits_by_size", std::move(by_size)}};
}

Json ComparisonJson(const LivingComparison& comparison) {
  Json json = {{"mean", MeanOf(comparison.numbers).mean}};
  if (comparison.differences.empty()) return json;
  const MeanAndError difference = MeanOf(comparison.differences);
  json.update({{"best", comparison.best},
               {"difference", difference.mean},
               {"standard_error", difference.standard_error},
               {"of", comparison.differences.size()}});
  return json;
}

Json PolicyJson(LivingRuns runs, std::span<const LivingRuns> setting) {
  const LivingSuiteRun& run = runs.front();
  const auto compare = [&](const LivingNumber& number) {
    return ComparisonJson(Compare(runs, setting, number));
  };
  Json by_size = Json::object();
  for (size_t i = 0; i < kJobSizes; ++i) {
    const auto size = static_cast<JobSize>(i);
    by_size[std::string(NameOf(size))] = compare(MeanWaitOf(size));
  }
  return {{"queue", run.setting.queue.name},
          {"load", run.setting.load},
          {"steady", run.setting.IsSteady()},
          {"policy", run.policy.name},
          {"allocated_percent", compare(Allocated())},
          {"wait_lifetimes", compare(MeanWait())},
          {"wait_lifetimes_by_size", std::move(by_size)}};
}

}  // namespace

std::string LivingTable(const std::vector<LivingSuiteRun>& runs) {
  std::string table = TableHead(), unsteady;
  for (const auto& setting : GroupBySettingAndPolicy(runs)) {
    for (const LivingRuns of : setting) table += TableRow(of, setting);
    const LivingSetting& played = setting.front().front().setting;
    if (!played.IsSteady()) unsteady += Unsteady(played);
  }
  return table + unsteady;
}

Json LivingJson(const std::vector<LivingSuiteRun>& runs) {
  Json list = Json::array(), policies = Json::array();
  for (const LivingSuiteRun& run : runs) list.push_back(RunJson(run));
  for (const auto& setting : GroupBySettingAndPolicy(runs)) {
    for (const LivingRuns of : setting) policies.push_back(PolicyJson(of, setting));
  }
  return {{"runs", std::move(list)},
          {"policies", std::move(policies)},
          {"warm_up_lifetimes", kLivingSuiteSpan.warm_up},
          {"horizon_lifetimes", kLivingSuiteSpan.length}};
}

}  // namespace berth
