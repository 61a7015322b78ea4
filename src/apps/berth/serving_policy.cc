#include "apps/berth/serving_policy.h"

#include <algorithm>
#include <utility>

#include "apps/berth/data_path.h"
#include "policy/cache.h"
#include "policy/deadline.h"
#include "policy/fallback.h"
#include "policy/heuristics.h"
#include "torch/torch_scorer.h"

namespace berth {
namespace {

// openb has 91 classes of pods; 5,000 nodes take about 100 KB in each.
constexpr size_t kCachedClasses = 256;

// So many forwards may hang at once; each keeps a thread.
constexpr int kMaxStuck = 4;

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

}  // namespace

Result<ServedPolicy> LoadPolicy(const std::string& policy, PolicyProbation& probation,
                                Logger& log) {
  if (IsHeuristic(policy)) return ServedPolicy{MakeHeuristic(policy).value(), ""};
  const Result<std::filesystem::path> directory = FindData(policy, ProgramDirectory());
  if (!directory.ok()) {
    return Because("--policy " + policy + " is no built-in policy (" + BuiltIns() +
                       ") and no directory of one",
                   directory.status());
  }
  Result<AdmittedPolicy> admitted = probation.Admit(*directory);
  if (!admitted.ok()) return Because("--policy " + policy, admitted.status());
  std::string version = admitted->file.manifest.version;
  Result<ScorerPtr> torch = MakeTorchPolicy(std::move(admitted->file), log);
  if (!torch.ok()) return Because("--policy " + policy, torch.status());
  return ServedPolicy{*std::move(torch), std::move(version)};
}

Result<ServedPolicy> MakeServingPolicy(const std::string& policy, const std::string& fallback,
                                       std::chrono::milliseconds budget, PolicyProbation& probation,
                                       const Clock& clock, Metrics& metrics, Logger& log) {
  Result<ScorerPtr> heuristic = MakeHeuristic(fallback);
  if (!IsHeuristic(policy) && !heuristic.ok()) {
    return Because("--fallback " + fallback, heuristic.status());
  }
  Result<ServedPolicy> loaded = LoadPolicy(policy, probation, log);
  if (!loaded.ok()) return loaded.status();
  ScorerPtr& scorer = loaded->scorer;
  scorer = MakeCachedScorer(std::move(scorer), kCachedClasses, metrics);
  if (IsHeuristic(policy)) return loaded;
  scorer = MakeDeadlineScorer(std::move(scorer), budget, kMaxStuck, clock, metrics);
  scorer = MakeFallbackScorer(std::move(scorer), *std::move(heuristic), metrics, log);
  return loaded;
}

}  // namespace berth
