#include "policy/range_guard.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "policy/choice_regret.h"
#include "policy/guard_counter.h"
#include "policy/hand_over.h"
#include "policy/ranking.h"

namespace berth {
namespace {

// How far beyond its range a column may lie, as a part of the range: training does not see the last
// decimal of every extreme. Where the range is a single number, rounding is all that is allowed.
constexpr double kTolerance = 0.01;
constexpr double kRounding = 1e-5;

// The ranges of a row, column by column.
std::vector<NumberRange> RangesOf(const std::vector<std::string>& columns,
                                  const FeatureRanges& ranges) {
  constexpr NumberRange kAnything = {-std::numeric_limits<double>::infinity(),
                                     std::numeric_limits<double>::infinity()};
  std::vector<NumberRange> of_row;
  for (const std::string& column : columns) {
    const auto known = ranges.find(column);
    if (known == ranges.end()) {
      of_row.push_back(kAnything);
      continue;
    }
    const auto [least, most] = known->second;
    const double beyond = std::max(kRounding, kTolerance * (most - least));
    of_row.push_back({least - beyond, most + beyond});
  }
  return of_row;
}

// The first column that lies outside.
std::optional<size_t> FirstOutside(std::span<const NumberRange> ranges,
                                   std::span<const float> row) {
  for (size_t i = 0; i < row.size(); ++i) {
    if (row[i] < ranges[i].least || row[i] > ranges[i].most) return i;
  }
  return std::nullopt;
}

class RangeGuard final : public Scorer {
 public:
  RangeGuard(ScorerPtr policy, ScorerPtr heuristic, SeenInTraining seen, double limit,
             Metrics& metrics, Logger& log)
      : policy_(std::move(policy)),
        heuristic_(std::move(heuristic)),
        schema_(std::move(seen.schema)),
        ranges_(RangesOf(schema_.columns(), seen.ranges)),
        context_ranges_(RangesOf(schema_.context_columns(), seen.ranges)),
        hand_over_(limit),
        answered_instead_(AddGuardCounter(metrics, policy_->name(), Guard::kRanges)),
        gauge_(metrics.AddGauge("berth_policy_handed_over",
                                "Whether the heuristic answers because the policy saw too much "
                                "that it had not seen in training.",
                                {{"policy", std::string(policy_->name())}})),
        log_(log) {}

  // A policy that is swapped out has handed over nothing any more.
  ~RangeGuard() override { gauge_.Set(0); }

  std::string_view name() const override { return policy_->name(); }

  Result<Answer> Score(const ScoreRequest& request, std::span<float> scores) const override {
    Result<Answer> answered = policy_->Score(request, scores);
    if (!answered.ok() || answered->guard != Guard::kNone || scores.empty()) return answered;
    const std::optional<std::string_view> outside = ColumnOutside(request, scores);
    const HandOver::State state = hand_over_.Note(outside.has_value());
    if (state.changed) NoteChange(state, outside.value_or(""));
    if (!state.handed_over) return answered;
    answered_instead_.Increment();
    const Result<Answer> heuristic = heuristic_->Score(request, scores);
    if (!heuristic.ok()) return heuristic;
    return Answer(heuristic->policy, Guard::kRanges);
  }

  GpuSet ChooseGpus(const Node& node, const Demand& demand,
                    const WorkloadProfile& profile) const override {
    const Scorer& in_charge = hand_over_.handed_over() ? *heuristic_ : *policy_;
    return in_charge.ChooseGpus(node, demand, profile);
  }

 private:
  // The name of a column that lies outside of what training saw, where the policy would put the
  // pod.
  std::optional<std::string_view> ColumnOutside(const ScoreRequest& request,
                                                std::span<const float> scores) const {
    const WorkloadProfile& profile = request.cluster->profile();
    std::vector<float> context(context_ranges_.size());
    schema_.EncodeContext(request.cluster->context(), profile, context);
    if (const auto column = FirstOutside(context_ranges_, context)) {
      return schema_.context_columns()[*column];
    }
    const Node& node = *request.candidates[FirstInRanking(request.candidates, scores)];
    const Choice choice = ChoiceOn(node, *policy_, request.demand, profile);
    std::vector<float> row(ranges_.size());
    schema_.EncodePlacements(node, request.demand, {&choice.gpus, 1}, profile, row);
    if (const auto column = FirstOutside(ranges_, row)) return schema_.columns()[*column];
    return std::nullopt;
  }

  void NoteChange(const HandOver::State& state, std::string_view column) const {
    gauge_.Set(state.handed_over ? 1 : 0);
    if (state.handed_over) {
      log_.warn(
          "msg=\"the policy sees what it was not trained on; the heuristic takes over\" policy={} "
          "heuristic={} share={:.2f} column={}",
          Quoted(policy_->name()), Quoted(heuristic_->name()), state.share, Quoted(column));
    } else {
      log_.info("msg=\"the policy sees what it was trained on again and takes over\" policy={}",
                Quoted(policy_->name()));
    }
  }

  const ScorerPtr policy_;
  const ScorerPtr heuristic_;
  const FeatureSchema schema_;
  const std::vector<NumberRange> ranges_;          // of schema_.columns()
  const std::vector<NumberRange> context_ranges_;  // of schema_.context_columns()
  mutable HandOver hand_over_;
  Counter& answered_instead_;
  Gauge& gauge_;
  Logger& log_;
};

}  // namespace

ScorerPtr MakeRangeGuard(ScorerPtr policy, ScorerPtr heuristic, SeenInTraining seen, double limit,
                         Metrics& metrics, Logger& log) {
  return std::make_shared<RangeGuard>(std::move(policy), std::move(heuristic), std::move(seen),
                                      limit, metrics, log);
}

}  // namespace berth
