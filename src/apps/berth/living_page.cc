#include "apps/berth/living_page.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <tuple>

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

// The runs at the beginning that have the same `key` as the first; they leave `runs`.
template <class Key>
Runs TakeSame(Runs& runs, Key key) {
  const auto end = std::ranges::find_if(
      runs, [&](const LivingSuiteRun& run) { return key(run) != key(runs.front()); });
  const Runs same(runs.begin(), end);
  runs = runs.subspan(same.size());
  return same;
}

std::vector<Runs> ByPolicy(Runs runs) {
  std::vector<Runs> policies;
  while (!runs.empty()) {
    policies.push_back(TakeSame(runs, [](const LivingSuiteRun& run) { return run.policy.name; }));
  }
  return policies;
}

Json SettingData(Runs runs) {
  Json policies = Json::array();
  for (const Runs& of : ByPolicy(runs)) policies.push_back(PolicyData(of));
  const LivingSetting& setting = runs.front().setting;
  return {{"queue", setting.queue.name}, {"load", setting.load}, {"policies", std::move(policies)}};
}

}  // namespace

Json LivingPageData(const std::vector<LivingSuiteRun>& runs) {
  Json settings = Json::array(), policies = Json::array(), sizes = Json::array();
  size_t seeds = 0;
  for (Runs left = runs; !left.empty();) {
    const Runs setting = TakeSame(left, [](const LivingSuiteRun& run) {
      return std::tuple(run.setting.queue.name, run.setting.load);
    });
    if (settings.empty()) {
      for (const Runs& of : ByPolicy(setting)) policies.push_back(of.front().policy.name);
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
