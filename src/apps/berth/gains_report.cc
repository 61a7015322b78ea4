#include "apps/berth/gains_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "apps/berth/gains.h"
#include "apps/berth/group_runs.h"

namespace berth {
namespace {

using Json = nlohmann::json;

// "±" is one column wide and two bytes long, which fmt knows.
std::string PlusMinus(const MeanAndError& number, int digits) {
  return fmt::format("{:+.{}f}±{:.{}f}", number.mean, digits, number.standard_error, digits);
}

// Of one policy and trace; "-" at loads that no order comes to.
std::string GainsRow(std::span<const Gain> gains) {
  const std::string& trace = gains.front().trace;
  std::string row = fmt::format("{:12}", trace.empty() ? "mean" : trace);
  for (const size_t load : kGainLoads) {
    const auto gain = std::ranges::find(gains, load, &Gain::load);
    const std::string cell =
        gain == gains.end() ? "-" : fmt::format("{} {:2}", PlusMinus(gain->points, 2), gain->above);
    row += fmt::format(" {:>14}", cell);
  }
  return row + "\n";
}

std::string GainsTable(std::span<const Gain> gains) {
  std::string table = fmt::format(
      "{} beside fgd: points of allocation when so many percent of the GPUs have been asked for;\n"
      "the mean difference in the same order ± its standard error, and in how many of {} seeds it "
      "is "
      "more\n{:12}",
      gains.front().policy, std::ranges::max(gains, {}, &Gain::of).of, "");
  for (const size_t load : kGainLoads) table += fmt::format(" {:>14}", load);
  table += "\n";
  for (const auto row : GroupRuns(gains, [](const Gain& gain) { return gain.trace; })) {
    table += GainsRow(row);
  }
  return table;
}

// Of one policy: a row per trace.
std::string FailuresTable(std::span<const MoreFailures> failures) {
  const auto rows = GroupRuns(failures, [](const MoreFailures& more) { return more.trace; });
  std::string table = fmt::format(
      "{} beside fgd: pods that find no place ± the standard error, and the GPUs that they ask "
      "for\n{:12}",
      failures.front().policy, "");
  for (const MoreFailures& more : rows.front()) table += fmt::format(" {:>18}", more.of_class);
  for (const auto row : rows) {
    table += fmt::format("\n{:12}", row.front().trace);
    for (const MoreFailures& more : row) {
      table += fmt::format(" {:>12} {:+5.0f}", PlusMinus(more.pods, 1), more.gpus.mean);
    }
  }
  return table + "\n";
}

Json MeanJson(const MeanAndError& number) {
  return {{"mean", number.mean}, {"standard_error", number.standard_error}};
}

}  // namespace

std::string GainsTables(std::span<const EvaluatedRun> runs) {
  const std::vector<Gain> gains = GainsOverFgd(runs);
  const std::vector<MoreFailures> failures = FailuresBesideFgd(runs);
  std::string tables;
  for (const auto of : GroupRuns(std::span(gains), [](const Gain& gain) { return gain.policy; })) {
    tables += "\n" + GainsTable(of);
  }
  for (const auto of :
       GroupRuns(std::span(failures), [](const MoreFailures& more) { return more.policy; })) {
    tables += "\n" + FailuresTable(of);
  }
  return tables;
}

Json GainsJson(std::span<const EvaluatedRun> runs) {
  Json list = Json::array();
  for (const Gain& gain : GainsOverFgd(runs)) {
    Json json = MeanJson(gain.points);
    json.update({{"policy", gain.policy},
                 {"trace", gain.trace.empty() ? Json() : Json(gain.trace)},
                 {"load", gain.load},
                 {"above", gain.above},
                 {"of", gain.of}});
    list.push_back(std::move(json));
  }
  return list;
}

Json FailuresJson(std::span<const EvaluatedRun> runs) {
  Json list = Json::array();
  for (const MoreFailures& more : FailuresBesideFgd(runs)) {
    list.push_back({{"policy", more.policy},
                    {"trace", more.trace},
                    {"class", more.of_class},
                    {"pods", MeanJson(more.pods)},
                    {"gpus", MeanJson(more.gpus)}});
  }
  return list;
}

}  // namespace berth
