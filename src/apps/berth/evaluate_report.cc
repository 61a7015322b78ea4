#include "apps/berth/evaluate_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "apps/berth/by_seed.h"
#include "apps/berth/gains_report.h"

namespace berth {
namespace {

// When as much has arrived as the cluster has.
constexpr size_t kFull = 100;

struct Cells {
  std::vector<std::string> traces;                                   // in the order of the runs
  std::vector<std::string> policies;                                 // likewise
  std::map<std::pair<std::string, std::string>, BySeed> allocation;  // at kFull
};

template <class T>
void AddOnce(const T& value, std::vector<T>& values) {
  if (std::ranges::find(values, value) == values.end()) values.push_back(value);
}

Cells CellsOf(const std::vector<EvaluatedRun>& runs) {
  Cells cells;
  for (const EvaluatedRun& run : runs) {
    AddOnce(run.trace, cells.traces);
    AddOnce(run.policy.name, cells.policies);
    const std::optional<double> allocated = run.result.curve.At(kFull);
    if (allocated) cells.allocation[{run.trace, run.policy.name}][run.seed] = *allocated;
  }
  return cells;
}

std::string CellText(const Cells& cells, const std::string& trace, std::string_view policy) {
  const auto found = cells.allocation.find({trace, std::string(policy)});
  if (found == cells.allocation.end()) return "-";
  std::string text = fmt::format("{:.2f}", MeanOf(found->second).mean);
  const auto fgd = cells.allocation.find({trace, "fgd"});
  if (policy == "fgd" || fgd == cells.allocation.end()) return text;
  const BySeed differences = Differences(found->second, fgd->second);
  if (differences.empty()) return text;
  const MeanAndError difference = MeanOf(differences);
  return text + fmt::format(" {:+.2f} se {:.2f}", difference.mean, difference.standard_error);
}

nlohmann::json AllocationJson(const InflationCurve& curve) {
  nlohmann::json allocation = nlohmann::json::object();
  for (size_t percent = 0; percent < InflationCurve::kPoints; ++percent) {
    const std::optional<double> allocated = curve.At(percent);
    if (allocated) allocation[std::to_string(percent)] = *allocated;
  }
  return allocation;
}

nlohmann::json FailedByClassJson(const FailedPods& failed) {
  nlohmann::json by_class = nlohmann::json::object();
  for (size_t i = 0; i < kFailureClasses; ++i) {
    const FailedPods::Sum& sum = failed.of_class[i];
    by_class[std::string(NameOfFailureClass(i))] = {{"pods", sum.pods}, {"gpus", sum.gpus()}};
  }
  return by_class;
}

std::string Distance(std::string_view what, double points, double allowed,
                     const std::string& where) {
  return fmt::format("  {} {:.4f} ({}), allowed {}", what, points, where, allowed);
}

}  // namespace

std::string AllocationTable(const std::vector<EvaluatedRun>& runs) {
  const Cells cells = CellsOf(runs);
  std::string table = fmt::format(
      "GPUs allocated when {} % of them had been asked for, in percent: mean over the "
      "seeds{}\n{:12}",
      kFull, ", then the mean difference to fgd on the same seeds and its standard error", "");
  for (const std::string_view policy : cells.policies) table += fmt::format("  {:>20}", policy);
  for (const std::string& trace : cells.traces) {
    table += fmt::format("\n{:12}", trace);
    for (const std::string_view policy : cells.policies) {
      table += fmt::format("  {:>20}", CellText(cells, trace, policy));
    }
  }
  return table + "\n";
}

std::string CrowdedTable(const std::vector<EvaluatedRun>& runs) {
  std::map<std::pair<std::string, std::string_view>, std::vector<double>> crowded;
  for (const EvaluatedRun& run : runs) {
    crowded[{run.trace, run.policy.name}].push_back(static_cast<double>(run.result.crowded_pods));
  }
  std::string table = "Pods sent where their GPUs were not free, in a run: mean over the seeds\n";
  for (const auto& [which, pods] : crowded) {
    const MeanAndError mean = MeanOf(pods);
    table += fmt::format("{:12}  {:14} {:8.1f} se {:.1f}\n", which.first, which.second, mean.mean,
                         mean.standard_error);
  }
  return table;
}

std::string ParityTable(const std::vector<Parity>& policies) {
  std::string table = "Largest distance from the published results, in points\n";
  for (const Parity& parity : policies) {
    table += fmt::format("{:14} {:4} runs  {}", parity.policy, parity.runs,
                         parity.Holds() ? "ok" : "TOO FAR OFF");
    if (std::isfinite(parity.run_limit)) {
      table += Distance("one run", parity.run, parity.run_limit, parity.run_where);
    }
    table += Distance("mean", parity.mean, parity.mean_limit, parity.mean_where) + "\n";
  }
  return table;
}

nlohmann::json EvaluationJson(const std::vector<EvaluatedRun>& runs) {
  nlohmann::json list = nlohmann::json::array();
  for (const EvaluatedRun& run : runs) {
    const FailedPods& failed = run.result.failed;
    list.push_back({{"policy", run.policy.name},
                    {"trace", run.trace},
                    {"seed", run.seed},
                    {"allocation", AllocationJson(run.result.curve)},
                    {"failed_pods", failed.all.pods},
                    {"failed_gpus", failed.all.gpus()},
                    {"failed_by_class", FailedByClassJson(failed)}});
  }
  return {{"runs", std::move(list)}, {"gains", GainsJson(runs)}, {"failures", FailuresJson(runs)}};
}

}  // namespace berth
