#include "apps/berth/living_page.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <tuple>

#include "apps/berth/group_runs.h"
#include "apps/berth/mean_and_error.h"
#include "base/version.h"

namespace berth {
namespace {

using Json = nlohmann::json;
using Runs = std::span<const LivingSuiteRun>;

template <class Number>
Json OverSeeds(Runs runs, Number number_of) {
  std::vector<double> numbers;
  for (const LivingSuiteRun& run : runs) numbers.push_back(number_of(run.result));
  return {{"mean", MeanOf(numbers).mean},
          {"least", std::ranges::min(numbers)},
          {"most", std::ranges::max(numbers)}};
}

Json PolicyData(Runs runs) {
  Json waits = Json::array();
  for (size_t size = 0; size < kJobSizes; ++size) {
    waits.push_back(OverSeeds(
        runs, [size](const LivingResult& result) { return result.waits_by_size[size].mean; }));
  }
  return {{"allocated", OverSeeds(runs, [](const LivingResult& r) { return 100 * r.allocated; })},
          {"wait", OverSeeds(runs, [](const LivingResult& r) { return r.waits.mean; })},
          {"still_waiting",
           OverSeeds(runs, [](const LivingResult& r) { return r.waits.still_waiting; })},
          {"waits", std::move(waits)}};
}

Json SettingData(Runs runs) {
  Json policies = Json::array();
  for (const Runs& of : GroupByPolicy(runs)) policies.push_back(PolicyData(of));
  const LivingSetting& setting = runs.front().setting;
  return {{"queue", setting.queue.name}, {"load", setting.load}, {"policies", std::move(policies)}};
}

}  // namespace

Json LivingPageData(const std::vector<LivingSuiteRun>& runs) {
  Json settings = Json::array(), policies = Json::array(), sizes = Json::array();
  size_t seeds = 0;
  const auto setting_of = [](const LivingSuiteRun& run) {
    return std::tuple(run.setting.queue.name, run.setting.load);
  };
  for (const Runs setting : GroupRuns(Runs(runs), setting_of)) {
    if (settings.empty()) {
      for (const Runs& of : GroupByPolicy(setting)) policies.push_back(of.front().policy.name);
      seeds = setting.size() / policies.size();
    }
    settings.push_back(SettingData(setting));
  }
  for (size_t i = 0; i < kJobSizes; ++i) sizes.push_back(NameOf(static_cast<JobSize>(i)));
  return {{"version", Version()},
          {"seeds", seeds},
          {"policies", std::move(policies)},
          {"sizes", std::move(sizes)},
          {"settings", std::move(settings)}};
}

}  // namespace berth
