#include "apps/berth/simulate_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "base/log.h"
#include "sim/replay_summary.h"

namespace berth {
namespace {

constexpr size_t kSlicesForPeople = 24, kSlicesForMachines = 240;
constexpr size_t kMostNamed = 5;
constexpr double kBarWidth = 40;

double InSeconds(SimTime time) { return std::chrono::duration<double>(time).count(); }

// Such as 3d 04:05:06.
std::string Elapsed(double seconds) {
  const auto all = static_cast<int64_t>(seconds);
  return fmt::format("{}d {:02}:{:02}:{:02}", all / 86'400, all / 3'600 % 24, all / 60 % 60,
                     all % 60);
}

int64_t GpusIn(const Replay& replay) {
  int64_t gpus = 0;
  for (const NodeSpec& node : replay.trace.nodes) gpus += node.gpus;
  return gpus;
}

// Of the cluster's GPUs; 0 when it has none.
double ShareOf(const Replay& replay, double gpus) {
  const int64_t all = GpusIn(replay);
  return all == 0 ? 0 : gpus / static_cast<double>(all);
}

std::string Heading(const Simulation& simulation, const ReplaySummary& summary) {
  const Replay& replay = simulation.replay;
  return fmt::format(
      "{}, {}: {} jobs on {} nodes with {} GPUs\n"
      "{} ran to their end, after {}; {} were refused; {:.1f} % of the GPUs in use on average\n",
      simulation.policy, simulation.queue, replay.jobs.size(), replay.trace.nodes.size(),
      GpusIn(replay), summary.left, Elapsed(InSeconds(simulation.history.end)),
      summary.refused.size(), 100 * ShareOf(replay, summary.gpus));
}

std::string LoadTable(const Simulation& simulation) {
  std::string table = fmt::format("\n{:>14}  {:>11}  {:>9}\n", "from", "GPUs in use", "waiting");
  for (const LoadSlice& slice : SliceLoad(simulation.history, kSlicesForPeople)) {
    const double share = ShareOf(simulation.replay, slice.gpus);
    table +=
        fmt::format("{:>14}  {:9.1f} %  {:9.1f}  {}\n", Elapsed(InSeconds(slice.from)), 100 * share,
                    slice.waiting, std::string(static_cast<size_t>(share * kBarWidth), '#'));
  }
  return table;
}

std::string WaitRow(std::string_view name, const WaitTimes& waits) {
  return fmt::format("{:>9} {:8} {:8}  {:>13} {:>13} {:>13} {:>13}\n", name, waits.jobs,
                     waits.refused, Elapsed(waits.mean), Elapsed(waits.median), Elapsed(waits.p99),
                     Elapsed(waits.longest));
}

std::string WaitTable(const ReplaySummary& summary) {
  std::string table = fmt::format("\n{:>9} {:>8} {:>8}  {:>13} {:>13} {:>13} {:>13}\n", "job of",
                                  "placed", "refused", "mean wait", "median", "99 %", "longest");
  for (size_t i = 0; i < kJobSizes; ++i) {
    table += WaitRow(NameOf(static_cast<JobSize>(i)), summary.waits_by_size[i]);
  }
  return table + WaitRow("any size", summary.waits);
}

std::string RefusedList(const ReplaySummary& summary) {
  if (summary.refused.empty()) return "";
  const size_t named = std::min(kMostNamed, summary.refused.size());
  std::vector<std::string> names;
  for (const std::string& name : std::span(summary.refused).first(named)) {
    names.push_back(Quoted(name));
  }
  const size_t more = summary.refused.size() - named;
  return fmt::format("\nRefused, as the cluster could not take them even when idle: {}{}\n",
                     fmt::join(names, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

nlohmann::json WaitsJson(const WaitTimes& waits) {
  return {{"jobs", waits.jobs},       {"refused", waits.refused}, {"mean_s", waits.mean},
          {"median_s", waits.median}, {"p99_s", waits.p99},       {"longest_s", waits.longest}};
}

nlohmann::json LoadJson(const Simulation& simulation) {
  nlohmann::json slices = nlohmann::json::array();
  for (const LoadSlice& slice : SliceLoad(simulation.history, kSlicesForMachines)) {
    slices.push_back({{"from_s", InSeconds(slice.from)},
                      {"gpus_in_use", slice.gpus},
                      {"waiting", slice.waiting}});
  }
  return slices;
}

}  // namespace

std::string SimulationText(const Simulation& simulation) {
  const ReplaySummary summary = SummarizeReplay(simulation.replay, simulation.history);
  return Heading(simulation, summary) + LoadTable(simulation) + WaitTable(summary) +
         RefusedList(summary);
}

nlohmann::json SimulationJson(const Simulation& simulation) {
  const ReplaySummary summary = SummarizeReplay(simulation.replay, simulation.history);
  nlohmann::json by_size = nlohmann::json::object(), by_queue = nlohmann::json::object();
  for (size_t i = 0; i < kJobSizes; ++i) {
    by_size[std::string(NameOf(static_cast<JobSize>(i)))] = WaitsJson(summary.waits_by_size[i]);
  }
  for (const auto& [queue, waits] : summary.waits_by_queue) by_queue[queue] = WaitsJson(waits);
  return {{"policy", simulation.policy},
          {"queue", simulation.queue},
          {"seed", simulation.seed},
          {"nodes", simulation.replay.trace.nodes.size()},
          {"gpus", GpusIn(simulation.replay)},
          {"arrived", simulation.replay.jobs.size()},
          {"placed", summary.waits.jobs},
          {"departed", summary.left},
          {"refused", summary.refused},
          {"end_s", InSeconds(simulation.history.end)},
          {"gpus_in_use", summary.gpus},
          {"gpu_milli_in_use_at_end", summary.in_use_at_end.value()},
          {"waits", WaitsJson(summary.waits)},
          {"waits_by_size", std::move(by_size)},
          {"waits_by_queue", std::move(by_queue)},
          {"load", LoadJson(simulation)}};
}

}  // namespace berth
