#include "apps/berth/living_page.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ranges>
#include <utility>

#include "apps/berth/living_comparison.h"
#include "base/version.h"

namespace berth {
namespace {

using Json = nlohmann::json;

Json OverSeeds(const LivingComparison& comparison) {
  const auto numbers = comparison.numbers | std::views::values;
  Json json = {{"mean", MeanOf(comparison.numbers).mean},
               {"least", std::ranges::min(numbers)},
               {"most", std::ranges::max(numbers)},
               {"best", nullptr},
               {"difference", nullptr},
               {"error", nullptr}};
  if (comparison.differences.empty()) return json;
  json["best"] = comparison.best;
  json["difference"] = MeanOf(comparison.differences).mean;
  json["error"] = MeanOf(comparison.differences).standard_error;
  return json;
}

Json PolicyData(LivingRuns runs, std::span<const LivingRuns> setting) {
  const auto over_seeds = [&](const LivingNumber& number) {
    return OverSeeds(Compare(runs, setting, number));
  };
  Json waits = Json::array();
  for (size_t size = 0; size < kJobSizes; ++size) {
    waits.push_back(over_seeds(MeanWaitOf(static_cast<JobSize>(size))));
  }
  return {{"allocated", over_seeds(Allocated())},
          {"wait", over_seeds(MeanWait())},
          {"still_waiting", over_seeds(StillWaiting())},
          {"waits", std::move(waits)}};
}

Json SettingData(std::span<const LivingRuns> setting) {
  Json policies = Json::array();
  for (const LivingRuns runs : setting) policies.push_back(PolicyData(runs, setting));
  const LivingSetting& of = setting.front().front().setting;
  return {{"queue", of.queue.name},
          {"load", of.load},
          {"steady", of.IsSteady()},
          {"policies", std::move(policies)}};
}

}  // namespace

Json LivingPageData(const std::vector<LivingSuiteRun>& runs) {
  const auto grouped = GroupBySettingAndPolicy(runs);
  Json settings = Json::array(), policies = Json::array(), sizes = Json::array();
  for (const auto& setting : grouped) settings.push_back(SettingData(setting));
  for (const LivingRuns of : grouped.front()) policies.push_back(of.front().policy.name);
  for (size_t i = 0; i < kJobSizes; ++i) sizes.push_back(NameOf(static_cast<JobSize>(i)));
  return {{"version", Version()},
          {"seeds", grouped.front().front().size()},
          {"warm_up", kLivingSuiteSpan.warm_up},
          {"horizon", kLivingSuiteSpan.length},
          {"policies", std::move(policies)},
          {"sizes", std::move(sizes)},
          {"settings", std::move(settings)}};
}

}  // namespace berth
