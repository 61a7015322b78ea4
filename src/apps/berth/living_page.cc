#include "apps/berth/living_page.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <tuple>
#include <vector>

#include "apps/berth/group_runs.h"
#include "apps/berth/mean_and_error.h"
#include "base/version.h"

namespace berth {
namespace {

using Json = nlohmann::json;
using Runs = std::span<const LivingSuiteRun>;

using Number = std::function<double(const LivingResult&)>;

// Of the seeds that both have.
std::vector<double> Differences(Runs runs, Runs fgd, const Number& number_of) {
  std::vector<double> differences;
  for (const LivingSuiteRun& run : runs) {
    const auto paired = std::ranges::find(fgd, run.seed, &LivingSuiteRun::seed);
    if (paired == fgd.end()) continue;
    differences.push_back(number_of(run.result) - number_of(paired->result));
  }
  return differences;
}

Json OverSeeds(Runs runs, Runs fgd, const Number& number_of) {
  std::vector<double> numbers;
  for (const LivingSuiteRun& run : runs) numbers.push_back(number_of(run.result));
  Json json = {{"mean", MeanOf(numbers).mean},
               {"least", std::ranges::min(numbers)},
               {"most", std::ranges::max(numbers)},
               {"difference", nullptr},
               {"error", nullptr}};
  const std::vector<double> differences = Differences(runs, fgd, number_of);
  if (differences.empty()) return json;
  json["difference"] = MeanOf(differences).mean;
  json["error"] = MeanOf(differences).standard_error;
  return json;
}

Json PolicyData(Runs runs, Runs fgd) {
  const auto over_seeds = [&](const Number& number) { return OverSeeds(runs, fgd, number); };
  Json waits = Json::array();
  for (size_t size = 0; size < kJobSizes; ++size) {
    waits.push_back(over_seeds([size](const auto& r) { return r.waits_by_size[size].mean; }));
  }
  return {{"allocated", over_seeds([](const auto& r) { return 100 * r.allocated; })},
          {"wait", over_seeds([](const auto& r) { return r.waits.mean; })},
          {"still_waiting", over_seeds([](const auto& r) { return r.waits.still_waiting; })},
          {"waits", std::move(waits)}};
}

Json SettingData(Runs runs) {
  const std::vector<Runs> groups = GroupByPolicy(runs);
  const auto is_fgd = [](Runs of) { return of.front().policy.name == "fgd"; };
  const auto fgd = std::ranges::find_if(groups, is_fgd);
  Json policies = Json::array();
  for (const Runs& of : groups) {
    policies.push_back(PolicyData(of, fgd == groups.end() ? Runs() : *fgd));
  }
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
