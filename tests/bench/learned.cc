#include <absl/strings/str_cat.h>

#include <memory>
#include <utility>

#include "base/real_clock.h"
#include "bench/living_books.h"
#include "bench/sections.h"
#include "bench/times.h"
#include "cluster/feasibility.h"
#include "demo/workload.h"
#include "learn/learned_sim_policy.h"
#include "policy/cache.h"
#include "policy/gpu_choices.h"
#include "policy/ranking.h"
#include "sim/mix_trace.h"
#include "sim/openb_nodes.h"
#include "sim/openb_suite.h"
#include "sim/packing_run.h"
#include "support/temp_directory.h"
#include "support/views.h"
#include "torch/learned_file.h"
#include "torch/policy_file.h"
#include "torch/torch_model.h"
#include "torch/torch_scorer.h"

namespace berth {
namespace {

constexpr uint64_t kSeed = 9001;
constexpr int kTimes = 21;
constexpr size_t kRememberedDemands = 256;  // as berth serve does

// The policy that training starts from, as a policy file: its weights cost what any others do.
class UntrainedPolicy {
 public:
  static Result<std::unique_ptr<UntrainedPolicy>> Make() {
    auto policy = std::unique_ptr<UntrainedPolicy>(new UntrainedPolicy);
    const Status written = WriteLearnedPolicy(
        policy->learned(),
        {.version = "1", .created = UtcTime(RealWallClock().Now()), .created_by = "berth-bench"},
        policy->directory());
    if (!written.ok()) return written;
    return policy;
  }

  LearnedPolicy learned() const { return FgdBestFitAsLearned("untrained"); }
  std::filesystem::path directory() const { return directory_.path(); }

 private:
  const TempDirectory directory_;
};

// What a policy is asked about a pod on the nodes that can take it.
struct Question {
  Demand demand;
  std::vector<const Node*> nodes;
  std::vector<GpuChoices> choices;  // of each node
};

Question Ask(const Demand& demand, const ClusterView& view) {
  Question question{.demand = demand};
  for (const Node* node : AllNodes(view)) {
    if (CheckFit(*node, demand) != Refusal::kNone) continue;
    question.nodes.push_back(node);
    question.choices.push_back(DistinctGpuChoices(node->free, demand));
  }
  return question;
}

std::vector<float> Encode(const FeatureSchema& schema, const Question& question,
                          const WorkloadProfile& profile) {
  const size_t width = schema.columns().size();
  std::vector<float> rows;
  for (size_t i = 0; i < question.nodes.size(); ++i) {
    const size_t begin = rows.size();
    rows.resize(begin + question.choices[i].size() * width);
    schema.EncodePlacements(*question.nodes[i], question.demand, question.choices[i], profile,
                            std::span(rows).subspan(begin));
  }
  return rows;
}

double MedianMilliseconds(Times& times) { return times.Milliseconds(0.5); }

std::string At(const std::string& what, size_t count, const std::string& of) {
  return absl::StrCat(what, "_ms_at_", count, "_", of);
}

// One forward for as many rows as the cluster has nodes.
Status MeasureForward(const PolicyFile& file, std::vector<float> rows, size_t count,
                      const WorkloadProfile& profile, Report& report) {
  const size_t width = file.schema.columns().size();
  const auto model = LoadTorchModel(file.module_bytes, width);
  if (!model.ok()) return model.status();
  while (rows.size() < count * width) rows.insert(rows.end(), rows.begin(), rows.end());
  rows.resize(count * width);
  std::vector<float> context(file.schema.context_columns().size()), scores(count);
  file.schema.EncodeContext(ClusterContext(), profile, context);
  Times times;
  for (int i = 0; i < kTimes; ++i) {
    const Status status = times.Measure([&] { return (*model)->Evaluate(rows, context, scores); });
    if (!status.ok()) return status;
  }
  report.Add(At("torch_forward", count, "rows"), MedianMilliseconds(times));
  return {};
}

// Of one class of pods after the other, none of them seen before.
Status MeasureEncoding(const PolicyFile& file, const BenchInput& input, const ClusterView& view,
                       const std::vector<Pod>& pods, Report& report) {
  Times times;
  std::vector<float> most;
  for (const Pod& pod : pods) {
    const Question question = Ask(pod.demand, view);
    std::vector<float> rows =
        times.Measure([&] { return Encode(file.schema, question, *input.profile); });
    if (rows.size() > most.size()) most = std::move(rows);
  }
  report.Add(At("encode_cold", input.sizes.nodes, "nodes"), MedianMilliseconds(times));
  report.Add(absl::StrCat("encode_cold_p99_ms_at_", input.sizes.nodes, "_nodes"),
             times.Milliseconds(0.99));
  return MeasureForward(file, std::move(most), input.sizes.nodes, *input.profile, report);
}

// Ranks one pod after the other on all nodes, while pods come and go.
Status MeasureRanking(const std::string& field, const Scorer& scorer, const BenchInput& input,
                      LivingBooks& books, const std::vector<Pod>& pods, Report& report) {
  Times times;
  for (const Pod& pod : pods) {
    books.ReplaceOnePod();
    const ClusterViewPtr view = books.View();
    const std::vector<const Node*> nodes = AllNodes(*view);
    const auto ranking = times.Measure([&] { return Rank(scorer, view, pod.demand, nodes); });
    if (!ranking.ok()) return ranking.status();
  }
  report.Add(At(field, input.sizes.nodes, "nodes"), MedianMilliseconds(times));
  return {};
}

// Anew, and through the cache of berth serve when every class has been asked about before.
Status MeasureScoring(const ScorerPtr& torch, const BenchInput& input, LivingBooks& books,
                      const std::vector<Pod>& pods, Report& report) {
  Metrics metrics;
  const ScorerPtr cached = MakeCachedScorer(torch, kRememberedDemands, metrics);
  Status status = MeasureRanking("torch_rank_cold", *torch, input, books, pods, report);
  if (status.ok()) status = MeasureRanking("torch_rank_first", *cached, input, books, pods, report);
  if (status.ok()) status = MeasureRanking("torch_rank_warm", *cached, input, books, pods, report);
  report.AddRatio("torch_rank_ratio_cold_to_warm",
                  At("torch_rank_cold", input.sizes.nodes, "nodes"),
                  At("torch_rank_warm", input.sizes.nodes, "nodes"));
  return status;
}

Status MeasureEpisode(const std::string& field, const SimPolicy& policy, const SeededTrace& trace,
                      int times_played, Report& report) {
  Times times;
  for (int i = 0; i < times_played; ++i) {
    Rng rng(kSeed);
    const auto result = times.Measure(
        [&] { return RunPacking(policy, trace.trace, trace.seeds.front().order, rng); });
    if (!result.ok()) return result.status();
  }
  report.Add(field, times.Milliseconds(0.5) / 1000);
  return {};
}

// Pods of openb's default mix arrive on its nodes until 130 % of the GPUs have been asked for.
Status MeasureEpisodes(const UntrainedPolicy& policy, const ScorerPtr& torch,
                       const BenchInput& input, Report& report) {
  std::vector<NodeSpec> nodes = OpenbNodes(GpuAccounting::kManaged);
  nodes.resize(std::min(nodes.size(), input.sizes.episode_nodes));
  Result<Trace> mix = MixTrace(std::move(nodes), input.profile);
  if (!mix.ok()) return mix.status();
  const SeededTrace trace = DrawOrders("mix", *std::move(mix), std::span(&kSeed, 1));
  const auto decisions = static_cast<double>(trace.seeds.front().order.arrivals.size());
  report.Add("episode_decisions", decisions);
  const SimPolicy native = Simulated(std::make_shared<const LearnedPolicy>(policy.learned()));
  Status status = MeasureEpisode("episode_native_seconds", native, trace, 5, report);
  if (!status.ok()) return status;
  const SimPolicy torchscript{.name = "untrained",
                              .make = [&torch](const SimCluster&) { return torch; }};
  status = MeasureEpisode("episode_torchscript_seconds", torchscript, trace, 1, report);
  report.AddRatio("episode_ratio_torchscript_to_native", "episode_torchscript_seconds",
                  "episode_native_seconds");
  return status;
}

}  // namespace

Status MeasureLearned(const BenchInput& input, Report& report) {
  report.Section("A learned policy, on one core");
  const auto policy = UntrainedPolicy::Make();
  if (!policy.ok()) return policy.status();
  const Result<PolicyFile> file = ReadPolicyFile((*policy)->directory());
  if (!file.ok()) return file.status();
  CapturedLog log;
  const Result<ScorerPtr> torch = LoadTorchPolicy((*policy)->directory(), log.logger());
  if (!torch.ok()) return torch.status();
  Rng rng(1);
  const std::vector<Pod> pods = DrawPods(*input.profile, MilliGpu(1'000'000'000), 64, rng);
  LivingBooks books(input.profile, input.sizes.nodes, input.sizes.pods_per_node);
  Status status = MeasureEncoding(*file, input, *books.View(), pods, report);
  if (status.ok()) status = MeasureScoring(*torch, input, books, pods, report);
  if (status.ok()) status = MeasureEpisodes(**policy, *torch, input, report);
  return status;
}

}  // namespace berth
