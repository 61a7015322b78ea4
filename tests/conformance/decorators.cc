#include <limits>
#include <utility>

#include "policy/cache.h"
#include "policy/deadline.h"
#include "policy/fallback.h"
#include "policy/heuristics.h"
#include "policy/range_guard.h"
#include "policy/regret_guard.h"
#include "policy_conformance.h"
#include "support/fake_scorer.h"

namespace berth {
namespace {

ScorerPtr Cached(ScorerPtr inner, Surroundings& s) {
  return MakeCachedScorer(std::move(inner), 100, s.metrics);
}

ScorerPtr WithDeadline(ScorerPtr inner, Surroundings& s) {
  return MakeDeadlineScorer(std::move(inner), {std::chrono::hours(1), 4, 4}, s.clock, s.metrics);
}

ScorerPtr WithFallback(ScorerPtr primary, Surroundings& s) {
  return MakeFallbackScorer(std::move(primary), MakeBestFit(), s.metrics, s.log);
}

// Guards that never step in: the policy is its own heuristic, and its ranges hold everything.
ScorerPtr Guarded(ScorerPtr policy, Surroundings& s) {
  SeenInTraining seen{FeatureSchema::Make({"gpu_free_before"}, {"regime"}).value(),
                      {{"gpu_free_before", {0, 1000}}, {"regime", {0, 1}}}};
  ScorerPtr ranges = MakeRangeGuard(policy, MakeBestFit(), std::move(seen), 0.2, s.metrics, s.log);
  return MakeRegretGuard(std::move(ranges), std::move(policy), 0, s.metrics, s.log);
}

ScorerPtr Broken() { return FailingScorer("broken", absl::InternalError("broken")); }

ScorerPtr NotFinite() {
  return ConstantScorer("not-finite", std::numeric_limits<float>::infinity());
}

INSTANTIATE_TEST_SUITE_P(
    Decorators, PolicyConformance,
    testing::Values(
        PolicyCase{"Cached", [](auto& s) { return Cached(MakeFgd(), s); }},
        PolicyCase{"CachedInOneClass",
                   [](auto& s) { return MakeCachedScorer(MakeFgdBestFit(), 1, s.metrics); }},
        PolicyCase{"AsServed",
                   [](auto& s) {
                     return Guarded(WithFallback(WithDeadline(Cached(MakeFgdBestFit(), s), s), s),
                                    s);
                   }},
        PolicyCase{"Deadline", [](auto& s) { return WithDeadline(MakeFgd(), s); }},
        PolicyCase{"Fallback", [](auto& s) { return WithFallback(MakeFgdBestFit(), s); }},
        PolicyCase{"FallbackOfBroken", [](auto& s) { return WithFallback(Broken(), s); }},
        PolicyCase{"FallbackOfNotFinite", [](auto& s) { return WithFallback(NotFinite(), s); }},
        PolicyCase{"FallbackOfDeadline",
                   [](auto& s) { return WithFallback(WithDeadline(MakeFgdBestFit(), s), s); }}),
    CaseName);

}  // namespace
}  // namespace berth
