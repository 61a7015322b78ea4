#include "apps/berth/policy_measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <numeric>
#include <utility>

#include "apps/berth/data_path.h"
#include "apps/berth/simulated_policy.h"
#include "cluster/feasibility.h"
#include "cluster/profile_file.h"
#include "sim/living_suite.h"
#include "sim/mix_trace.h"
#include "sim/openb_nodes.h"
#include "sim/openb_suite.h"
#include "sim/placer.h"
#include "sim/sim_cluster.h"
#include "torch/policy_file.h"
#include "torch/torch_scorer.h"
#include "torch/torch_version.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

constexpr char kMix[] = "policies/profiles/openb-default.json";

std::string Processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != line.npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string Build() { return fmt::format("GCC {}, libtorch {}", __VERSION__, TorchVersion()); }

std::vector<uint64_t> From(uint64_t first, uint64_t last) {
  std::vector<uint64_t> seeds(last - first + 1);
  std::iota(seeds.begin(), seeds.end(), first);
  return seeds;
}

Result<Trace> BuiltInMix() {
  const Result<fs::path> path = FindData(kMix, ProgramDirectory());
  if (!path.ok()) return path.status();
  Result<WorkloadProfile> profile = LoadProfile(path->string());
  if (!profile.ok()) return profile.status();
  return MixTrace(OpenbNodes(GpuAccounting::kManaged),
                  std::make_shared<const WorkloadProfile>(*std::move(profile)));
}

// Nodes half full, as FGD + best-fit leaves them.
Result<std::vector<Node>> HalfFullNodes(const Trace& mix) {
  const uint64_t seeds[] = {1};
  SeededTrace trace = DrawOrders("half", mix, seeds);
  std::vector<uint32_t>& arrivals = trace.seeds.front().order.arrivals;
  arrivals.resize(arrivals.size() / 3);
  auto runs = Evaluate({FindSimPolicy("fgd-bestfit").value()}, {std::move(trace)}, Parallel(),
                       Detail::kPictures);
  if (!runs.ok()) return runs.status();
  return std::move(runs->front().nodes);
}

// Of every tenth pod of the mix's list on every fortieth node that can take it.
Status ScoreSamples(const Scorer& scorer, const Trace& mix, const std::vector<Node>& nodes,
                    const ClusterViewPtr& surroundings, std::vector<double>& all) {
  for (size_t pod = 0; pod < mix.pods.size(); pod += mix.pods.size() / 10) {
    const Demand& demand = mix.pods[pod].demand;
    std::vector<const Node*> candidates;
    for (size_t i = 0; i < nodes.size(); i += 40) {
      if (CheckFit(nodes[i], demand) == Refusal::kNone) candidates.push_back(&nodes[i]);
    }
    std::vector<float> scores(candidates.size());
    const auto scored = scorer.Score({surroundings, demand, candidates}, scores);
    if (!scored.ok()) return scored.status();
    all.insert(all.end(), scores.begin(), scores.end());
  }
  return absl::OkStatus();
}

// In both regimes.
Result<std::vector<double>> ScoreSamples(const Scorer& scorer, const Trace& mix) {
  const Result<std::vector<Node>> nodes = HalfFullNodes(mix);
  if (!nodes.ok()) return nodes.status();
  std::vector<double> scores;
  for (const bool pods_leave : {false, true}) {
    const auto profile = MixOn(SimCluster(mix.nodes), mix.profile, pods_leave);
    const Status scored = ScoreSamples(scorer, mix, *nodes, SurroundingsOf(profile), scores);
    if (!scored.ok()) return scored;
  }
  return scores;
}

std::vector<double> AllocatedAt(const EvaluatedRun& run) {
  std::vector<double> allocated;
  for (const size_t load : PolicyResults::kLoads) {
    allocated.push_back(run.result.curve.At(load).value_or(0));
  }
  return allocated;
}

Result<std::vector<PolicyResults::Packing>> MeasurePacking(const SimPolicy& policy,
                                                           const MeasuredPart& part,
                                                           const Parallel& parallel) {
  const auto traces = ReadOpenbSuite(part.orders, part.traces, part.packing_seeds);
  if (!traces.ok()) return traces.status();
  const auto runs = Evaluate({policy}, *traces, parallel);
  if (!runs.ok()) return runs.status();
  const auto fgd = Evaluate({FindSimPolicy("fgd").value()}, *traces, parallel);
  if (!fgd.ok()) return fgd.status();
  std::vector<PolicyResults::Packing> results;
  for (size_t i = 0; i < runs->size(); ++i) {
    const EvaluatedRun& run = (*runs)[i];
    results.push_back({run.trace, run.seed, AllocatedAt(run), AllocatedAt((*fgd)[i])});
  }
  return results;
}

Result<std::vector<PolicyResults::Living>> MeasureLiving(const SimPolicy& policy, const Trace& mix,
                                                         const MeasuredPart& part,
                                                         const Parallel& parallel) {
  const auto runs = RunLivingSuite({policy}, mix, part.living_seeds, parallel);
  if (!runs.ok()) return runs.status();
  std::vector<PolicyResults::Living> results;
  for (const LivingSuiteRun& run : *runs) {
    results.push_back({std::string(run.setting.queue.name), run.setting.load, run.seed,
                       100 * run.result.allocated, run.result.waits.mean});
  }
  return results;
}

}  // namespace

MeasuredPart WholeSuite(fs::path orders) {
  return {std::move(orders),
          {OpenbTraceNames().begin(), OpenbTraceNames().end()},
          From(42, 51),
          From(9001, 9010)};
}

Result<MeasuredPart> PartThatLiesIn(fs::path orders) {
  MeasuredPart part = WholeSuite(std::move(orders));
  const auto lies_there = [&](const std::string& trace, uint64_t seed) {
    return fs::exists(part.orders / fmt::format("{}_seed{}.txt", trace, seed));
  };
  std::erase_if(part.traces, [&](const std::string& trace) {
    return !lies_there(trace, part.packing_seeds.front());
  });
  if (part.traces.empty()) {
    return absl::NotFoundError(
        fmt::format("{}: there are no orders of openb", part.orders.string()));
  }
  std::erase_if(part.packing_seeds,
                [&](uint64_t seed) { return !lies_there(part.traces.front(), seed); });
  part.living_seeds.resize(1);
  return part;
}

Result<PolicyResults> MeasurePolicy(const fs::path& directory, const MeasuredPart& part,
                                    const Parallel& parallel) {
  const Result<PolicyFile> file = ReadPolicyFile(directory);
  if (!file.ok()) return file.status();
  const Result<ScorerPtr> scorer = LoadTorchPolicy(directory, *MakeStderrLogger("berth", "warn"));
  if (!scorer.ok()) return scorer.status();
  const Result<SimPolicy> policy = FindSimulatedPolicy(directory.string());
  if (!policy.ok()) return policy.status();
  const Result<Trace> mix = BuiltInMix();
  if (!mix.ok()) return mix.status();
  auto scores = ScoreSamples(**scorer, *mix);
  if (!scores.ok()) return scores.status();
  auto packing = MeasurePacking(*policy, part, parallel);
  if (!packing.ok()) return packing.status();
  auto living = MeasureLiving(*policy, *mix, part, parallel);
  if (!living.ok()) return living.status();
  return PolicyResults{.policy_sha256 = file->manifest.sha256,
                       .processor = Processor(),
                       .build = Build(),
                       .scores = *std::move(scores),
                       .packing = *std::move(packing),
                       .living = *std::move(living)};
}

}  // namespace berth
