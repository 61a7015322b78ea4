#include <limits>

#include "policy/deadline.h"
#include "policy/fallback.h"
#include "policy/heuristics.h"
#include "policy_conformance.h"
#include "support/fake_scorer.h"

namespace berth {
namespace {

ScorerPtr WithDeadline(ScorerPtr inner, Surroundings& s) {
  return MakeDeadlineScorer(std::move(inner), std::chrono::hours(1), 4, s.clock, s.metrics);
}

ScorerPtr WithFallback(ScorerPtr primary, Surroundings& s) {
  return MakeFallbackScorer(std::move(primary), MakeBestFit(), s.metrics, s.log);
}

ScorerPtr Broken() { return FailingScorer("broken", absl::InternalError("broken")); }

ScorerPtr NotFinite() {
  return ConstantScorer("not-finite", std::numeric_limits<float>::infinity());
}

INSTANTIATE_TEST_SUITE_P(
    Decorators, PolicyConformance,
    testing::Values(
        PolicyCase{"Deadline", [](auto& s) { return WithDeadline(MakeFgd(), s); }},
        PolicyCase{"Fallback", [](auto& s) { return WithFallback(MakeFgdBestFit(), s); }},
        PolicyCase{"FallbackOfBroken", [](auto& s) { return WithFallback(Broken(), s); }},
        PolicyCase{"FallbackOfNotFinite", [](auto& s) { return WithFallback(NotFinite(), s); }},
        PolicyCase{"FallbackOfDeadline",
                   [](auto& s) { return WithFallback(WithDeadline(MakeFgdBestFit(), s), s); }}),
    CaseName);

}  // namespace
}  // namespace berth
