#include "apps/berth/policy_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "apps/berth/mean_and_error.h"
#include "base/bounded_file.h"
#include "base/json_field.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;
constexpr size_t kMaxFileBytes = size_t{16} << 20;
constexpr double kScoreTolerance = 1e-5, kAllocatedTolerance = 0.05;

Json ToJson(const PolicyResults::Packing& run) {
  return {{"trace", run.trace}, {"seed", run.seed}, {"allocated", run.allocated}, {"fgd", run.fgd}};
}

Json ToJson(const PolicyResults::Living& run) {
  return {{"queue", run.queue},
          {"load", run.load},
          {"seed", run.seed},
          {"allocated", run.allocated},
          {"wait", run.wait}};
}

template <class Run>
std::string LinesOf(const std::vector<Run>& runs) {
  std::string lines;
  for (const Run& run : runs) lines += (lines.empty() ? "\n    " : ",\n    ") + ToJson(run).dump();
  return lines;
}

PolicyResults FromJson(const nlohmann::json& value) {
  if (value.at("format") != kFormat) throw std::out_of_range("it is of another version of berth");
  PolicyResults results{.policy_sha256 = value.at("policy_sha256"),
                        .processor = value.at("processor"),
                        .build = value.at("build"),
                        .scores = value.at("scores")};
  for (const nlohmann::json& run : value.at("packing")) {
    results.packing.push_back(
        {run.at("trace"), run.at("seed"), run.at("allocated"), run.at("fgd")});
    const PolicyResults::Packing& last = results.packing.back();
    constexpr size_t kNumbers = std::size(PolicyResults::kLoads);
    if (last.allocated.size() == kNumbers && last.fgd.size() == kNumbers) continue;
    throw std::out_of_range("a packing run with another number of loads");
  }
  for (const nlohmann::json& run : value.at("living")) {
    results.living.push_back(
        {run.at("queue"), run.at("load"), run.at("seed"), run.at("allocated"), run.at("wait")});
  }
  return results;
}

using RunsOfTrace = std::vector<const PolicyResults::Packing*>;

std::vector<std::pair<std::string, RunsOfTrace>> ByTrace(const PolicyResults& results) {
  std::vector<std::pair<std::string, RunsOfTrace>> traces;
  for (const PolicyResults::Packing& run : results.packing) {
    if (traces.empty() || traces.back().first != run.trace) traces.push_back({run.trace, {}});
    traces.back().second.push_back(&run);
  }
  return traces;
}

MeanAndError GainAt(size_t load, const RunsOfTrace& runs) {
  std::vector<double> gains;
  for (const PolicyResults::Packing* run : runs) {
    gains.push_back(run->allocated[load] - run->fgd[load]);
  }
  return MeanOf(gains);
}

double Thousandths(double number) { return std::round(number * 1000) / 1000; }

// Collects the lines.
class Differences {
 public:
  void Compare(const std::string& what, double recorded, double repeated, double tolerance) {
    // Not at all finite is different too.
    if (std::abs(recorded - repeated) <= tolerance) return;
    lines_.push_back(
        fmt::format("{}: {} was recorded, and now it is {}", what, recorded, repeated));
  }
  void Add(std::string line) { lines_.push_back(std::move(line)); }
  std::vector<std::string> lines() && { return std::move(lines_); }

 private:
  std::vector<std::string> lines_;
};

std::string NameOf(const PolicyResults::Packing& run) {
  return fmt::format("packing {}, seed {}", run.trace, run.seed);
}

std::string NameOf(const PolicyResults::Living& run) {
  return fmt::format("living, {} at load {}, seed {}", run.queue, run.load, run.seed);
}

void Compare(const PolicyResults::Packing& recorded, const PolicyResults::Packing& repeated,
             const ResultsTolerance& tolerance, Differences& differences) {
  for (size_t i = 0; i < std::size(PolicyResults::kLoads); ++i) {
    differences.Compare(
        fmt::format("{}, percent at {} %", NameOf(repeated), PolicyResults::kLoads[i]),
        recorded.allocated[i], repeated.allocated[i], tolerance.allocated);
  }
}

// Waits are not compared where rounding may differ: they hang on few jobs.
void Compare(const PolicyResults::Living& recorded, const PolicyResults::Living& repeated,
             const ResultsTolerance& tolerance, Differences& differences) {
  differences.Compare(NameOf(repeated) + ", percent", recorded.allocated, repeated.allocated,
                      tolerance.allocated);
  if (tolerance.allocated > 0) return;
  differences.Compare(NameOf(repeated) + ", wait", recorded.wait, repeated.wait, 0);
}

template <class Run>
void CompareRuns(const std::vector<Run>& recorded, const std::vector<Run>& repeated,
                 const ResultsTolerance& tolerance, Differences& differences) {
  for (const Run& run : repeated) {
    const auto same_name = [&](const Run& other) { return NameOf(other) == NameOf(run); };
    const auto found = std::ranges::find_if(recorded, same_name);
    if (found == recorded.end()) {
      differences.Add(NameOf(run) + ": never recorded");
    } else {
      Compare(*found, run, tolerance, differences);
    }
  }
}

}  // namespace

std::string WriteResults(const PolicyResults& results) {
  return fmt::format(
      R"({{
  "format": {},
  "policy_sha256": {},
  "processor": {},
  "build": {},
  "scores": {},
  "packing": [{}
  ],
  "living": [{}
  ]
}}
)",
      kFormat, Json(results.policy_sha256).dump(), Json(results.processor).dump(),
      Json(results.build).dump(), Json(results.scores).dump(), LinesOf(results.packing),
      LinesOf(results.living));
}

Result<PolicyResults> ParseResults(std::string_view text) {
  const auto refused = [](std::string_view why) {
    return absl::InvalidArgumentError(
        fmt::format("these are no results as `berth policy measure` writes them: {}", why));
  };
  const Result<nlohmann::json> document = ParseJsonDocument(text);
  if (!document.ok()) return refused(std::string(document.status().message()));
  try {
    return FromJson(*document);
  } catch (const std::exception& error) {
    return refused(error.what());
  }
}

Result<PolicyResults> LoadResults(const std::filesystem::path& file) {
  const Result<std::string> text = ReadBounded(file, kMaxFileBytes);
  if (!text.ok()) return text.status();
  Result<PolicyResults> results = ParseResults(*text);
  if (results.ok()) return results;
  return Status(results.status().code(),
                fmt::format("{}: {}", file.string(), std::string(results.status().message())));
}

std::string SummaryOf(const PolicyResults& results) {
  constexpr size_t kAt100 = std::ranges::find(PolicyResults::kLoads, 100) - PolicyResults::kLoads;
  Json gains = Json::object();
  std::vector<double> at_100;
  for (const auto& [trace, runs] : ByTrace(results)) {
    for (size_t load = 0; load < std::size(PolicyResults::kLoads); ++load) {
      const MeanAndError gain = GainAt(load, runs);
      gains[trace][std::to_string(PolicyResults::kLoads[load])] = {
          Thousandths(gain.mean), Thousandths(gain.standard_error)};
      if (load == kAt100) at_100.push_back(gain.mean);
    }
  }
  Json summary = {{"suite", "openb"},
                  {"what", "points above fgd in the same order, mean and standard error"},
                  {"gains", std::move(gains)}};
  if (!at_100.empty()) summary["mean_gain_at_100"] = Thousandths(MeanOf(at_100).mean);
  return summary.dump();
}

ResultsTolerance ToleranceBetween(const PolicyResults& recorded, const PolicyResults& repeated) {
  const bool same = recorded.processor == repeated.processor && recorded.build == repeated.build;
  return same ? ResultsTolerance{} : ResultsTolerance{kScoreTolerance, kAllocatedTolerance};
}

std::vector<std::string> DifferencesFrom(const PolicyResults& recorded,
                                         const PolicyResults& repeated) {
  Differences differences;
  if (recorded.policy_sha256 != repeated.policy_sha256) {
    differences.Add("the results are those of another policy.pt: measure this one");
    return std::move(differences).lines();
  }
  const ResultsTolerance tolerance = ToleranceBetween(recorded, repeated);
  if (recorded.scores.size() != repeated.scores.size()) {
    differences.Add(fmt::format("{} scores were recorded, and now there are {}",
                                recorded.scores.size(), repeated.scores.size()));
  }
  for (size_t i = 0; i < std::min(recorded.scores.size(), repeated.scores.size()); ++i) {
    differences.Compare(fmt::format("score {}", i + 1), recorded.scores[i], repeated.scores[i],
                        tolerance.score);
  }
  CompareRuns(recorded.packing, repeated.packing, tolerance, differences);
  CompareRuns(recorded.living, repeated.living, tolerance, differences);
  return std::move(differences).lines();
}

}  // namespace berth
