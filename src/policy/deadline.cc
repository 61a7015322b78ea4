#include "policy/deadline.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "cluster/gpu_choice.h"
#include "policy/worker.h"
#include "policy/worker_pool.h"

namespace berth {
namespace {

using std::chrono::nanoseconds;

// A call to the inner scorer that owns all it touches, since nobody may be waiting any more.
struct ScoreCall {
  ScoreCall(ScorerPtr scorer, const ScoreRequest& request, Clock::TimePoint deadline)
      : inner(std::move(scorer)),
        cluster(request.cluster),
        demand(request.demand),
        candidates(request.candidates.begin(), request.candidates.end()),
        deadline(deadline),
        scores(candidates.size()) {}

  void Run() { answered = inner->Score({cluster, demand, candidates, deadline}, scores); }

  const ScorerPtr inner;
  const ClusterViewPtr cluster;
  const Demand demand;
  const std::vector<const Node*> candidates;
  const Clock::TimePoint deadline;
  std::vector<float> scores;
  Result<Answer> answered;
};

struct GpuCall {
  void Run() { gpus = inner->ChooseGpus(node, demand, profile); }

  const ScorerPtr inner;
  const Node node;
  const Demand demand;
  const WorkloadProfile profile;
  GpuSet gpus;
};

class DeadlineScorer final : public Scorer {
 public:
  DeadlineScorer(ScorerPtr inner, const DeadlineLimits& limits, const Clock& clock,
                 Metrics& metrics)
      : inner_(std::move(inner)),
        limits_(limits),
        clock_(clock),
        late_(metrics.AddCounter("berth_policy_late_answers_total",
                                 "Answers that a policy did not give in time.", Labels())),
        stuck_(std::make_shared<StuckWorkers>(metrics.AddGauge(
            "berth_policy_stuck_workers", "Threads held by calls that were given up.", Labels()))),
        workers_(limits.max_busy, stuck_) {}

  ~DeadlineScorer() override { stuck_->Detach(); }

  std::string_view name() const override { return inner_->name(); }

  Result<Answer> Score(const ScoreRequest& request, std::span<float> scores) const override {
    const Clock::TimePoint deadline = std::min(request.deadline, BudgetEnds());
    const auto call = std::make_shared<ScoreCall>(inner_, request, deadline);
    if (Status ran = RunUntil(deadline, [call] { call->Run(); }); !ran.ok()) return ran;
    std::ranges::copy(call->scores, scores.begin());
    return call->answered;
  }

  GpuSet ChooseGpus(const Node& node, const Demand& demand,
                    const WorkloadProfile& profile) const override {
    const auto call = std::make_shared<GpuCall>(GpuCall{inner_, node, demand, profile, {}});
    if (!RunUntil(BudgetEnds(), [call] { call->Run(); }).ok()) {
      return ChooseGpusBestFit(node.free, demand);
    }
    return call->gpus;
  }

 private:
  Metrics::Labels Labels() const { return {{"policy", std::string(name())}}; }

  Clock::TimePoint BudgetEnds() const { return clock_.Now() + limits_.budget; }

  Status RunUntil(Clock::TimePoint deadline, std::function<void()> job) const {
    const auto left = [&] {
      return std::max(nanoseconds(0), nanoseconds(deadline - clock_.Now()));
    };
    if (stuck_->count() >= limits_.max_stuck) {
      return absl::UnavailableError(
          fmt::format("policy {}: {} calls hang", name(), limits_.max_stuck));
    }
    if (left() == nanoseconds(0)) return Late();
    std::unique_ptr<Worker> worker = workers_.Take(left());
    if (worker == nullptr) return Late();
    const Worker::Outcome outcome = worker->Run(std::move(job), left());
    workers_.Return(std::move(worker), outcome);
    return outcome == Worker::Outcome::kDone ? absl::OkStatus() : Late();
  }

  Status Late() const {
    late_.Increment();
    return absl::DeadlineExceededError(fmt::format("policy {} did not answer in time", name()));
  }

  const ScorerPtr inner_;
  const DeadlineLimits limits_;
  const Clock& clock_;
  Counter& late_;
  const std::shared_ptr<StuckWorkers> stuck_;
  mutable WorkerPool workers_;
};

}  // namespace

ScorerPtr MakeDeadlineScorer(ScorerPtr inner, const DeadlineLimits& limits, const Clock& clock,
                             Metrics& metrics) {
  return std::make_shared<DeadlineScorer>(std::move(inner), limits, clock, metrics);
}

}  // namespace berth
