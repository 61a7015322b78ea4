#include "apps/berth/serving_policy.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "apps/berth/data_path.h"
#include "policy/cache.h"
#include "policy/deadline.h"
#include "policy/fallback.h"
#include "policy/heuristics.h"
#include "policy/range_guard.h"
#include "policy/regret_guard.h"
#include "torch/torch_scorer.h"

namespace berth {
namespace {

// openb has 91 classes of pods; 5,000 nodes take about 100 KB in each.
constexpr size_t kCachedClasses = 256;

// So many forwards may hang at once; each keeps a thread.
constexpr int kMaxStuck = 4;

// A forward keeps a processor busy, so more at once than there are would only share them.
int MaxBusy() { return std::max(2, static_cast<int>(std::thread::hardware_concurrency())); }

Status Because(const std::string& what, const Status& why) {
  return {why.code(), what + ": " + std::string(why.message())};
}

bool IsHeuristic(std::string_view name) {
  const std::vector<std::string_view> names = HeuristicNames();
  return std::ranges::find(names, name) != names.end();
}

std::string BuiltIns() {
  std::string list;
  for (const std::string_view name : HeuristicNames()) {
    list += (list.empty() ? "" : ", ") + std::string(name);
  }
  return list;
}

// A policy from a file, and what it saw in training.
struct LoadedPolicy {
  ScorerPtr scorer;
  std::string version;
  SeenInTraining seen;
};

Result<LoadedPolicy> LoadFile(const std::string& policy, PolicyProbation& probation, Logger& log) {
  const Result<std::filesystem::path> directory = FindData(policy, ProgramDirectory());
  if (!directory.ok()) {
    return Because("--policy " + policy + " is no built-in policy (" + BuiltIns() +
                       ") and no directory of one",
                   directory.status());
  }
  Result<AdmittedPolicy> admitted = probation.Admit(*directory);
  if (!admitted.ok()) return Because("--policy " + policy, admitted.status());
  std::string version = admitted->file.manifest.version;
  SeenInTraining seen{admitted->file.schema, admitted->file.manifest.feature_ranges};
  Result<ScorerPtr> torch = MakeTorchPolicy(std::move(admitted->file), log);
  if (!torch.ok()) return Because("--policy " + policy, torch.status());
  return LoadedPolicy{*std::move(torch), std::move(version), std::move(seen)};
}

// From the inside out, each sees what those before it let through (src/README.md).
ScorerPtr Guarded(LoadedPolicy policy, const ScorerPtr& heuristic, const GuardOptions& guards,
                  const Clock& clock, Metrics& metrics, Logger& log) {
  ScorerPtr guarded = MakeCachedScorer(std::move(policy.scorer), kCachedClasses, metrics);
  guarded =
      MakeDeadlineScorer(std::move(guarded), {guards.budget, MaxBusy(), kMaxStuck}, clock, metrics);
  guarded = MakeFallbackScorer(std::move(guarded), heuristic, metrics, log);
  if (guards.range_limit && !policy.seen.ranges.empty()) {
    guarded = MakeRangeGuard(std::move(guarded), heuristic, std::move(policy.seen),
                             *guards.range_limit, metrics, log);
  }
  if (guards.regret_cap) {
    guarded = MakeRegretGuard(std::move(guarded), heuristic, *guards.regret_cap, metrics, log);
  }
  return guarded;
}

}  // namespace

Result<ServedPolicy> LoadPolicy(const std::string& policy, PolicyProbation& probation,
                                Logger& log) {
  if (IsHeuristic(policy)) return ServedPolicy{*MakeHeuristic(policy), ""};
  Result<LoadedPolicy> loaded = LoadFile(policy, probation, log);
  if (!loaded.ok()) return loaded.status();
  return ServedPolicy{std::move(loaded->scorer), std::move(loaded->version)};
}

Result<ServedPolicy> MakeServingPolicy(const std::string& policy, const GuardOptions& guards,
                                       PolicyProbation& probation, const Clock& clock,
                                       Metrics& metrics, Logger& log) {
  const auto cached = [&](ScorerPtr scorer) {
    return MakeCachedScorer(std::move(scorer), kCachedClasses, metrics);
  };
  if (IsHeuristic(policy)) return ServedPolicy{cached(*MakeHeuristic(policy)), ""};
  Result<ScorerPtr> heuristic = MakeHeuristic(guards.heuristic);
  if (!heuristic.ok()) return Because("--fallback " + guards.heuristic, heuristic.status());
  Result<LoadedPolicy> loaded = LoadFile(policy, probation, log);
  if (!loaded.ok()) return loaded.status();
  std::string version = loaded->version;
  return ServedPolicy{
      Guarded(*std::move(loaded), cached(*std::move(heuristic)), guards, clock, metrics, log),
      std::move(version)};
}

}  // namespace berth
