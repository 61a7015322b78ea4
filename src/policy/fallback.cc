#include "policy/fallback.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <utility>

#include "policy/guard_counter.h"

namespace berth {
namespace {

class FallbackScorer final : public Scorer {
 public:
  FallbackScorer(ScorerPtr primary, ScorerPtr fallback, Metrics& metrics, Logger& log)
      : primary_(std::move(primary)),
        fallback_(std::move(fallback)),
        errors_(AddGuardCounter(metrics, primary_->name(), Guard::kError)),
        deadlines_(AddGuardCounter(metrics, primary_->name(), Guard::kDeadline)),
        not_finite_(AddGuardCounter(metrics, primary_->name(), Guard::kNotFinite)),
        log_(log) {}

  std::string_view name() const override { return primary_->name(); }

  Result<Answer> Score(const ScoreRequest& request, std::span<float> scores) const override {
    Result<Answer> answered = primary_->Score(request, scores);
    const bool finite =
        std::ranges::all_of(scores, [](float score) { return std::isfinite(score); });
    if (answered.ok() && finite) {
      NoteAnswer();
      return answered;
    }
    const Guard guard = GuardFor(answered.status());
    NoteFallback(guard, answered.ok() ? "a score is not finite" : answered.status().ToString());
    const Result<Answer> instead = fallback_->Score(request, scores);
    if (!instead.ok()) return instead.status();
    return Answer(instead->policy, guard);
  }

  GpuSet ChooseGpus(const Node& node, const Demand& demand,
                    const WorkloadProfile& profile) const override {
    return primary_->ChooseGpus(node, demand, profile);
  }

 private:
  // REQUIRES: the primary failed, or some score is not finite.
  static Guard GuardFor(const Status& answered) {
    if (answered.ok()) return Guard::kNotFinite;
    return absl::IsDeadlineExceeded(answered) ? Guard::kDeadline : Guard::kError;
  }

  Counter& CounterOf(Guard guard) const {
    if (guard == Guard::kNotFinite) return not_finite_;
    return guard == Guard::kDeadline ? deadlines_ : errors_;
  }

  void NoteAnswer() const {
    if (!degraded_.exchange(false)) return;
    log_.info("msg=\"policy answers again\" policy={}", Quoted(primary_->name()));
  }

  void NoteFallback(Guard guard, std::string_view why) const {
    CounterOf(guard).Increment();
    if (degraded_.exchange(true)) return;
    log_.warn("msg=\"policy failed; the fallback answers\" policy={} fallback={} error={}",
              Quoted(primary_->name()), Quoted(fallback_->name()), Quoted(why));
  }

  const ScorerPtr primary_;
  const ScorerPtr fallback_;
  Counter& errors_;
  Counter& deadlines_;
  Counter& not_finite_;
  Logger& log_;
  mutable std::atomic<bool> degraded_ = false;
};

}  // namespace

ScorerPtr MakeFallbackScorer(ScorerPtr primary, ScorerPtr fallback, Metrics& metrics, Logger& log) {
  return std::make_shared<FallbackScorer>(std::move(primary), std::move(fallback), metrics, log);
}

}  // namespace berth
