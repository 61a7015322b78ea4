#include <absl/strings/str_cat.h>

#include <array>
#include <chrono>
#include <utility>
#include <vector>

#include "base/real_clock.h"
#include "bench/living_books.h"
#include "bench/sections.h"
#include "bench/times.h"
#include "cluster/feasibility.h"
#include "demo/workload.h"
#include "policy/cache.h"
#include "policy/deadline.h"
#include "policy/fallback.h"
#include "policy/range_guard.h"
#include "policy/regret_guard.h"
#include "support/views.h"
#include "torch/policy_file.h"
#include "torch/torch_scorer.h"

namespace berth {
namespace {

constexpr char kPolicy[] = BERTH_SOURCE_DIR "/policies/berth";
constexpr size_t kRememberedDemands = 256;  // as berth serve does

// Nothing may be late here: what would be measured then is the heuristic.
constexpr std::chrono::hours kBudget{1};

ScorerPtr Cached(ScorerPtr policy, Metrics& metrics) {
  return MakeCachedScorer(std::move(policy), kRememberedDemands, metrics);
}

// One policy under more and more guards, as `berth serve` stacks them; each remembers for itself.
class Stacks {
 public:
  static constexpr std::array kNames = {"bare", "deadline_and_finite", "and_ranges", "all_guards"};
  static constexpr size_t kStacks = kNames.size();

  Stacks(const ScorerPtr& torch, const PolicyFile& file) : torch_(torch), file_(file) {
    stacks_ = {Cached(torch_, metrics_), InTimeAndFinite(), InRange(), LittleRegret()};
  }

  const Scorer& operator[](size_t stack) const { return *stacks_[stack]; }

 private:
  ScorerPtr Heuristic() { return Cached(MakeFgdBestFit(), metrics_); }

  ScorerPtr InTimeAndFinite() {
    return MakeFallbackScorer(
        MakeDeadlineScorer(Cached(torch_, metrics_), {kBudget, 4, 4}, clock_, metrics_),
        Heuristic(), metrics_, log_.logger());
  }

  ScorerPtr InRange() {
    SeenInTraining seen{file_.schema, file_.manifest.feature_ranges};
    return MakeRangeGuard(InTimeAndFinite(), Heuristic(), std::move(seen), 0.99, metrics_,
                          log_.logger());
  }

  ScorerPtr LittleRegret() {
    return MakeRegretGuard(InRange(), Heuristic(), 1000, metrics_, log_.logger());
  }

  const ScorerPtr torch_;
  const PolicyFile& file_;
  const RealClock clock_;
  Metrics metrics_;
  CapturedLog log_;
  std::array<ScorerPtr, kStacks> stacks_;
};

std::vector<const Node*> Feasible(const ClusterView& view, const Demand& demand) {
  std::vector<const Node*> nodes = AllNodes(view);
  std::erase_if(nodes, [&](const Node* node) { return CheckFit(*node, demand) != Refusal::kNone; });
  return nodes;
}

using StackTimes = std::array<Times, Stacks::kStacks>;

// One pod after the other while pods come and go. The stacks take turns at being first, so that
// whatever else happens on the machine happens to all.
Status AskAll(const Stacks& stacks, LivingBooks& books, const std::vector<Pod>& pods, size_t times,
              StackTimes& measured) {
  for (size_t i = 0; i < times; ++i) {
    books.ReplaceOnePod();
    const ClusterViewPtr view = books.View();
    const Demand& demand = pods[i % pods.size()].demand;
    const std::vector<const Node*> nodes = Feasible(*view, demand);
    std::vector<float> scores(nodes.size());
    for (size_t turn = 0; turn < Stacks::kStacks; ++turn) {
      const size_t stack = (i + turn) % Stacks::kStacks;
      const auto answered = measured[stack].Measure([&] {
        return stacks[stack].Score({view, demand, nodes}, scores);
      });
      if (!answered.ok()) return answered.status();
    }
  }
  return {};
}

void AddTimes(StackTimes& times, size_t nodes, Report& report) {
  for (const auto& [percentile, share] : {std::pair("p50", 0.5), std::pair("p99", 0.99)}) {
    const auto field = [&, percentile = percentile](size_t stack, const char* unit) {
      return absl::StrCat("score_", Stacks::kNames[stack], "_", unit, "_", percentile, "_at_",
                          nodes, "_nodes");
    };
    for (size_t stack = 0; stack < Stacks::kStacks; ++stack) {
      report.Add(field(stack, "ms"), times[stack].Milliseconds(share));
      if (stack > 0) report.AddRatio(field(stack, "ratio"), field(stack, "ms"), field(0, "ms"));
    }
  }
}

Status MeasureAt(size_t nodes, const ScorerPtr& torch, const PolicyFile& file,
                 const BenchInput& input, Report& report) {
  Rng rng(1);
  const std::vector<Pod> pods = DrawPods(*input.profile, MilliGpu(1'000'000'000), 64, rng);
  LivingBooks books(input.profile, nodes, input.sizes.pods_per_node);
  const Stacks stacks(torch, file);
  StackTimes cold, warm;  // cold: what is asked for the first time is not remembered yet
  Status asked = AskAll(stacks, books, pods, pods.size(), cold);
  if (asked.ok()) {
    asked = AskAll(stacks, books, pods, 20 * static_cast<size_t>(input.sizes.questions), warm);
  }
  if (!asked.ok()) return asked;
  AddTimes(warm, nodes, report);
  return {};
}

}  // namespace

Status MeasureGuards(const BenchInput& input, Report& report) {
  report.Section("What the guards add to the scores of policies/berth, as berth serve has them");
  const Result<PolicyFile> file = ReadPolicyFile(kPolicy);
  if (!file.ok()) return file.status();
  CapturedLog log;
  const Result<ScorerPtr> torch = LoadTorchPolicy(kPolicy, log.logger());
  if (!torch.ok()) return torch.status();
  for (const size_t nodes : {input.sizes.episode_nodes, input.sizes.nodes}) {
    if (Status s = MeasureAt(nodes, *torch, *file, input, report); !s.ok()) return s;
  }
  return {};
}

}  // namespace berth
