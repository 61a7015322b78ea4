#include <absl/strings/str_cat.h>
#include <benchmark/benchmark.h>

#include <memory>
#include <utility>

#include "bench/living_books.h"
#include "bench/sections.h"
#include "bench/times.h"
#include "demo/objects.h"
#include "demo/workload.h"
#include "extender/extender_args.h"
#include "policy/heuristics.h"
#include "policy/ranking.h"
#include "support/views.h"

namespace berth {
namespace {

using benchmark::State;

// google-benchmark calls each function several times to find how often to repeat it; what it
// measures on is built once, at the first call.
template <class T>
class Lazy {
 public:
  explicit Lazy(std::function<std::unique_ptr<T>()> make) : make_(std::move(make)) {}
  T& operator*() {
    if (!made_) made_ = make_();
    return *made_;
  }

 private:
  std::function<std::unique_ptr<T>()> make_;
  std::unique_ptr<T> made_;
};

void ApplyEvents(State& state, LivingBooks& books) {
  for (auto _ : state) books.ReplaceOnePod();
}

void ViewAfterChange(State& state, LivingBooks& books) {
  for (auto _ : state) {
    books.ReplaceOnePod();
    const auto start = Stopwatch::now();
    benchmark::DoNotOptimize(books.View());
    state.SetIterationTime(SecondsSince(start));
  }
}

// One pod after the other is ranked on all nodes, while pods come and go.
void RankAll(State& state, LivingBooks& books, const std::vector<Pod>& pods) {
  const ScorerPtr policy = MakeFgdBestFit();
  size_t next = 0;
  for (auto _ : state) {
    books.ReplaceOnePod();
    const ClusterViewPtr view = books.View();
    const std::vector<const Node*> nodes = AllNodes(*view);
    const Demand& demand = pods[next++ % pods.size()].demand;
    const auto start = Stopwatch::now();
    benchmark::DoNotOptimize(Rank(*policy, view, demand, nodes));
    state.SetIterationTime(SecondsSince(start));
  }
}

std::string ArgsBody(const BusyCluster& cluster, const Pod& pod) {
  std::string body = absl::StrCat(R"({"Pod":)", PodObject(pod).dump(), R"(,"NodeNames":[)");
  for (const NodeSpec& node : cluster.nodes) {
    absl::StrAppend(&body, body.back() == '[' ? "" : ",", "\"", node.name.value(), "\"");
  }
  return body + "]}";
}

void ParseArgs(State& state, const std::string& body) {
  for (auto _ : state) benchmark::DoNotOptimize(ParseExtenderArgs(body));
}

// Puts each result into the report under the benchmark's name.
class IntoReport final : public benchmark::BenchmarkReporter {
 public:
  explicit IntoReport(Report& report) : report_(report) {}
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      report_.Add(run.run_name.function_name, run.GetAdjustedRealTime());
    }
  }

 private:
  Report& report_;
};

std::string AtNodes(const std::string& what, size_t nodes) {
  return absl::StrCat(what, "_at_", nodes, "_nodes");
}

}  // namespace

Status MeasureParts(const BenchInput& input, Report& report) {
  report.Section("In one process, with fgd-bestfit (a pod that is replaced is two events)");
  const BenchSizes& sizes = input.sizes;
  Rng rng(1);
  const std::vector<Pod> pods = DrawPods(*input.profile, MilliGpu(1'000'000'000), 64, rng);

  for (const size_t nodes : {sizes.few_nodes, sizes.nodes, sizes.many_nodes}) {
    const auto books = std::make_shared<Lazy<LivingBooks>>([&input, nodes] {
      return std::make_unique<LivingBooks>(input.profile, nodes, input.sizes.pods_per_node);
    });
    benchmark::RegisterBenchmark(AtNodes("replace_pod_us", nodes).c_str(),
                                 [books](State& state) { ApplyEvents(state, **books); })
        ->Unit(benchmark::kMicrosecond)
        ->MinTime(sizes.micro_seconds);
    benchmark::RegisterBenchmark(AtNodes("view_after_change_us", nodes).c_str(),
                                 [books](State& state) { ViewAfterChange(state, **books); })
        ->Unit(benchmark::kMicrosecond)
        ->UseManualTime()
        ->MinTime(sizes.micro_seconds);
    benchmark::RegisterBenchmark(AtNodes("rank_ms", nodes).c_str(),
                                 [books, &pods](State& state) { RankAll(state, **books, pods); })
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime()
        ->MinTime(sizes.micro_seconds);
  }
  const std::string body = ArgsBody(input.cluster, pods.front());
  benchmark::RegisterBenchmark(AtNodes("parse_extender_args_ms", sizes.nodes).c_str(),
                               [&body](State& state) { ParseArgs(state, body); })
      ->Unit(benchmark::kMillisecond)
      ->MinTime(sizes.micro_seconds);

  IntoReport reporter(report);
  benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::ClearRegisteredBenchmarks();
  report.AddRatio("replace_pod_ratio_large_to_small", AtNodes("replace_pod_us", sizes.nodes),
                  AtNodes("replace_pod_us", sizes.few_nodes));
  return {};
}

}  // namespace berth
