#include "apps/berth/living_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace berth {
namespace {

// Means over the seeds of one policy in one setting.
struct Row {
  const LivingSuiteRun* first = nullptr;
  double seeds = 0;
  double allocated = 0, wait = 0, still_waiting = 0;
  std::array<double, kJobSizes> waits{};

  bool IsOf(const LivingSuiteRun& run) const {
    return first != nullptr && first->policy.name == run.policy.name &&
           first->setting.queue.name == run.setting.queue.name &&
           first->setting.load == run.setting.load;
  }

  void Add(const LivingSuiteRun& run) {
    const auto add = [this](double& mean, double number) { mean += (number - mean) / seeds; };
    ++seeds;
    add(allocated, run.result.allocated);
    add(wait, run.result.waits.mean);
    add(still_waiting, static_cast<double>(run.result.waits.still_waiting));
    for (size_t i = 0; i < kJobSizes; ++i) add(waits[i], run.result.waits_by_size[i].mean);
  }
};

std::vector<Row> RowsOf(const std::vector<LivingSuiteRun>& runs) {
  std::vector<Row> rows;
  for (const LivingSuiteRun& run : runs) {
    if (rows.empty() || !rows.back().IsOf(run)) rows.push_back({.first = &run});
    rows.back().Add(run);
  }
  return rows;
}

nlohmann::json WaitsJson(const Waits& waits) {
  return {
      {"jobs", waits.jobs}, {"still_waiting", waits.still_waiting}, {"mean_lifetimes", waits.mean}};
}

}  // namespace

std::string LivingTable(const std::vector<LivingSuiteRun>& runs) {
  std::string table = fmt::format(
      "Means over the seeds, after the warm-up. Waits in mean lifetimes of a pod, by size of job.\n"
      "{:9} {:>5}  {:18} {:>8} {:>8} {:>8}",
      "queue", "load", "policy", "GPU used", "wait", "waiting");
  for (size_t i = 0; i < kJobSizes; ++i) {
    table += fmt::format(" {:>9}", NameOf(static_cast<JobSize>(i)));
  }
  for (const Row& row : RowsOf(runs)) {
    table += fmt::format("\n{:9} {:5.2f}  {:18} {:6.2f} % {:8.4f} {:8.0f}",
                         row.first->setting.queue.name, row.first->setting.load,
                         row.first->policy.name, 100 * row.allocated, row.wait, row.still_waiting);
    for (const double wait : row.waits) table += fmt::format(" {:9.4f}", wait);
  }
  return table + "\n";
}

nlohmann::json LivingJson(const std::vector<LivingSuiteRun>& runs) {
  nlohmann::json list = nlohmann::json::array();
  for (const LivingSuiteRun& run : runs) {
    nlohmann::json by_size = nlohmann::json::object();
    for (size_t i = 0; i < kJobSizes; ++i) {
      by_size[std::string(NameOf(static_cast<JobSize>(i)))] =
          WaitsJson(run.result.waits_by_size[i]);
    }
    list.push_back({{"queue", run.setting.queue.name},
                    {"load", run.setting.load},
                    {"policy", run.policy.name},
                    {"seed", run.seed},
                    {"allocated", run.result.allocated},
                    {"waits", WaitsJson(run.result.waits)},
                    {"waits_by_size", std::move(by_size)}});
  }
  return {{"runs", std::move(list)}};
}

}  // namespace berth
