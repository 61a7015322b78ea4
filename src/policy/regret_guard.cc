#include "policy/regret_guard.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "policy/choice_regret.h"
#include "policy/guard_counter.h"
#include "policy/ranking.h"

namespace berth {
namespace {

// So many answers in a row that the policy gave itself are a long while.
constexpr int64_t kLongWhile = 1000;

class RegretGuard final : public Scorer {
 public:
  RegretGuard(ScorerPtr policy, ScorerPtr heuristic, double cap, Metrics& metrics, Logger& log)
      : policy_(std::move(policy)),
        heuristic_(std::move(heuristic)),
        cap_(cap),
        capped_(AddGuardCounter(metrics, policy_->name(), Guard::kRegret)),
        log_(log) {}

  std::string_view name() const override { return policy_->name(); }

  Result<Answer> Score(const ScoreRequest& request, std::span<float> scores) const override {
    Result<Answer> answered = policy_->Score(request, scores);
    if (!answered.ok() || answered->guard != Guard::kNone || scores.empty()) return answered;
    std::vector<float> heuristic_scores(scores.size());
    const Result<Answer> heuristic = heuristic_->Score(request, heuristic_scores);
    if (!heuristic.ok()) return answered;  // there is nothing better to answer
    const double regret = Regret(request, scores, heuristic_scores);
    if (regret <= cap_) {
      since_capped_.fetch_add(1, std::memory_order_relaxed);
      return answered;
    }
    NoteCapped(regret);
    std::ranges::copy(heuristic_scores, scores.begin());
    return Answer(heuristic->policy, Guard::kRegret);
  }

  GpuSet ChooseGpus(const Node& node, const Demand& demand,
                    const WorkloadProfile& profile) const override {
    return policy_->ChooseGpus(node, demand, profile);
  }

 private:
  double Regret(const ScoreRequest& request, std::span<const float> scores,
                std::span<const float> heuristic_scores) const {
    const Node& mine = *request.candidates[FirstInRanking(request.candidates, scores)];
    const Node& other = *request.candidates[FirstInRanking(request.candidates, heuristic_scores)];
    if (&mine == &other) return 0;
    const WorkloadProfile& profile = request.cluster->profile();
    return ChoiceRegret(ChoiceOn(mine, *policy_, request.demand, profile),
                        ChoiceOn(other, *heuristic_, request.demand, profile), request.demand,
                        profile);
  }

  void NoteCapped(double regret) const {
    capped_.Increment();
    if (since_capped_.exchange(0) < kLongWhile) return;
    log_.warn(
        "msg=\"the policy's choice looks much worse than the heuristic's, which answers\" "
        "policy={} heuristic={} regret_milli_gpu={:.0f} cap_milli_gpu={:.0f}",
        Quoted(policy_->name()), Quoted(heuristic_->name()), regret, cap_);
  }

  const ScorerPtr policy_;
  const ScorerPtr heuristic_;
  const double cap_;
  Counter& capped_;
  Logger& log_;
  mutable std::atomic<int64_t> since_capped_ = kLongWhile;  // the very first is told
};

}  // namespace

ScorerPtr MakeRegretGuard(ScorerPtr policy, ScorerPtr heuristic, double cap, Metrics& metrics,
                          Logger& log) {
  return std::make_shared<RegretGuard>(std::move(policy), std::move(heuristic), cap, metrics, log);
}

}  // namespace berth
