#include "apps/berth/packing_page.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <tuple>

#include "apps/berth/by_seed.h"
#include "apps/berth/gains_report.h"
#include "apps/berth/group_runs.h"
#include "base/version.h"

namespace berth {
namespace {

using Json = nlohmann::json;
using Runs = std::span<const EvaluatedRun>;
// Something of a run by arrived percent.
using Curve = std::function<std::optional<double>(const EvaluatedRun&, size_t percent)>;

// As many digits as anybody reads; a page has a million numbers.
Json Rounded(double number) { return std::round(number * 1000) / 1000; }

std::optional<double> Allocation(const EvaluatedRun& run, size_t percent) {
  return run.result.curve.At(percent);
}

std::optional<double> Fragmentation(const EvaluatedRun& run, size_t percent) {
  return run.record->fragmentation.At(percent);
}

// Of those runs that have it.
std::vector<double> NumbersAt(Runs runs, const Curve& curve, size_t percent) {
  std::vector<double> numbers;
  for (const EvaluatedRun& run : runs) {
    if (const std::optional<double> number = curve(run, percent)) numbers.push_back(*number);
  }
  return numbers;
}

// `summary` of the numbers at every percent; null where there are none.
template <class Summary>
Json ByPercent(Runs runs, const Curve& curve, Summary summary) {
  Json list = Json::array();
  for (size_t percent = 0; percent < PercentMeans::kPoints; ++percent) {
    const std::vector<double> numbers = NumbersAt(runs, curve, percent);
    list.push_back(numbers.empty() ? Json() : Rounded(summary(numbers)));
  }
  return list;
}

double Mean(const std::vector<double>& numbers) { return MeanOf(numbers).mean; }
double StandardError(const std::vector<double>& numbers) { return MeanOf(numbers).standard_error; }
double Least(const std::vector<double>& numbers) { return std::ranges::min(numbers); }
double Most(const std::vector<double>& numbers) { return std::ranges::max(numbers); }

Json Band(Runs runs, const Curve& curve) {
  return {{"mean", ByPercent(runs, curve, Mean)},
          {"least", ByPercent(runs, curve, Least)},
          {"most", ByPercent(runs, curve, Most)}};
}

Json MeanIdle(Runs runs) {
  Json list = Json::array();
  for (size_t kind = 0; kind < kIdleGpuKinds; ++kind) {
    const auto idle = [kind](const EvaluatedRun& run, size_t percent) {
      return run.record->idle[kind].At(percent);
    };
    list.push_back(ByPercent(runs, idle, Mean));
  }
  return list;
}

// The run of fgd on the same seed; null where there is none.
const EvaluatedRun* PairedWith(const EvaluatedRun& run, Runs fgd) {
  const auto paired = std::ranges::find(fgd, run.seed, &EvaluatedRun::seed);
  return paired == fgd.end() ? nullptr : &*paired;
}

Json Difference(Runs runs, Runs fgd) {
  const auto difference = [fgd](const EvaluatedRun& run, size_t percent) {
    const EvaluatedRun* const paired = PairedWith(run, fgd);
    const std::optional<double> number = Allocation(run, percent);
    const auto other = paired == nullptr ? std::nullopt : Allocation(*paired, percent);
    return number && other ? std::optional(*number - *other) : std::nullopt;
  };
  return {{"mean", ByPercent(runs, difference, Mean)},
          {"error", ByPercent(runs, difference, StandardError)}};
}

Json MeanFailures(Runs runs, Runs fgd) {
  const auto pods = [](const EvaluatedRun& run) { return run.result.failed.all.pods; };
  const BySeed failed = NumbersBySeed(runs, pods);
  Json json = {{"mean", Rounded(MeanOf(failed).mean)}, {"difference", nullptr}, {"error", nullptr}};
  const BySeed differences = Differences(failed, NumbersBySeed(fgd, pods));
  if (differences.empty()) return json;
  json["difference"] = Rounded(MeanOf(differences).mean);
  json["error"] = Rounded(MeanOf(differences).standard_error);
  return json;
}

// By model, then larger ones first: nodes that are alike lie together.
std::vector<Node> InOrder(std::vector<Node> nodes) {
  std::ranges::sort(nodes, {}, [](const Node& node) {
    return std::tuple(node.spec->model, -node.spec->gpus, -node.spec->cpu.value(), node.name());
  });
  return nodes;
}

Json NodeList(const std::vector<Node>& nodes) {
  Json list = Json::array();
  for (const Node& node : InOrder(nodes)) {
    list.push_back({{"name", node.name().value()},
                    {"model", node.spec->model.value()},
                    {"gpus", node.spec->gpus}});
  }
  return list;
}

int64_t PercentTaken(int64_t free, int64_t all) {
  return all == 0 ? 0
                  : std::llround(100 * (1 - static_cast<double>(free) / static_cast<double>(all)));
}

Json Usage(const std::vector<Node>& nodes) {
  Json list = Json::array();
  for (const Node& node : InOrder(nodes)) {
    Json taken = {PercentTaken(node.free.cpu.value(), node.spec->cpu.value()),
                  PercentTaken(node.free.memory.value(), node.spec->memory.value())};
    for (const MilliGpu gpu : node.free.gpus) {
      taken.push_back(PercentTaken(gpu.value(), kWholeGpu.value()));
    }
    list.push_back(std::move(taken));
  }
  return list;
}

Json TraceData(Runs runs) {
  const std::vector<Runs> policies = GroupByPolicy(runs);
  const Runs fgd = RunsOfPolicy("fgd", policies);
  Json list = Json::array();
  for (const Runs& of : policies) {
    list.push_back({{"allocation", Band(of, Allocation)},
                    {"fragmentation", Band(of, Fragmentation)},
                    {"idle", MeanIdle(of)},
                    {"difference", Difference(of, fgd)},
                    {"failed_pods", MeanFailures(of, fgd)},
                    {"nodes", Usage(of.front().nodes)}});
  }
  Json seeds = Json::array();
  for (const EvaluatedRun& run : policies.front()) seeds.push_back(run.seed);
  return {{"name", runs.front().trace}, {"seeds", std::move(seeds)}, {"policies", std::move(list)}};
}

}  // namespace

Json PackingPageData(const std::vector<EvaluatedRun>& all) {
  Json traces = Json::array();
  Json policies = Json::array();
  for (const Runs trace : GroupRuns(Runs(all), [](const EvaluatedRun& run) { return run.trace; })) {
    if (traces.empty()) {
      for (const Runs& of : GroupByPolicy(trace)) policies.push_back(of.front().policy.name);
    }
    traces.push_back(TraceData(trace));
  }
  const std::vector<Node>& nodes = all.front().nodes;
  int64_t gpus = 0;
  for (const Node& node : nodes) gpus += node.spec->gpus;
  return {{"version", Version()},         {"gpus", gpus},
          {"nodes", NodeList(nodes)},     {"policies", std::move(policies)},
          {"traces", std::move(traces)},  {"gains", GainsJson(all)},
          {"failures", FailuresJson(all)}};
}

}  // namespace berth
