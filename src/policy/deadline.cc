#include "policy/deadline.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "cluster/gpu_choice.h"
#include "policy/worker.h"

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
  DeadlineScorer(ScorerPtr inner, nanoseconds budget, int max_stuck, const Clock& clock,
                 Metrics& metrics)
      : inner_(std::move(inner)),
        budget_(budget),
        max_stuck_(max_stuck),
        clock_(clock),
        late_(metrics.AddCounter("berth_policy_late_answers_total",
                                 "Answers that a policy did not give in time.", Labels())),
        stuck_(std::make_shared<StuckWorkers>(metrics.AddGauge(
            "berth_policy_stuck_workers", "Threads held by calls that were given up.", Labels()))) {
  }

  ~DeadlineScorer() override { stuck_->Detach(); }

  std::string_view name() const override { return inner_->name(); }

  Result<Answer> Score(const ScoreRequest& request, std::span<float> scores) const override {
    const Clock::TimePoint now = clock_.Now();
    const Clock::TimePoint deadline = std::min(request.deadline, now + budget_);
    const auto call = std::make_shared<ScoreCall>(inner_, request, deadline);
    if (Status ran = RunWithin(deadline - now, [call] { call->Run(); }); !ran.ok()) return ran;
    std::ranges::copy(call->scores, scores.begin());
    return call->answered;
  }

  GpuSet ChooseGpus(const Node& node, const Demand& demand,
                    const WorkloadProfile& profile) const override {
    const auto call = std::make_shared<GpuCall>(GpuCall{inner_, node, demand, profile, {}});
    if (!RunWithin(budget_, [call] { call->Run(); }).ok()) {
      return ChooseGpusBestFit(node.free, demand);
    }
    return call->gpus;
  }

 private:
  Metrics::Labels Labels() const { return {{"policy", std::string(name())}}; }

  Status RunWithin(nanoseconds limit, std::function<void()> job) const {
    if (stuck_->count() >= max_stuck_) {
      return absl::UnavailableError(fmt::format("policy {}: {} calls hang", name(), max_stuck_));
    }
    if (limit <= nanoseconds(0)) return Late();
    std::unique_ptr<Worker> worker = TakeWorker();
    const Worker::Outcome outcome = worker->Run(std::move(job), limit);
    if (outcome != Worker::Outcome::kStuck) ReturnWorker(std::move(worker));
    return outcome == Worker::Outcome::kDone ? absl::OkStatus() : Late();
  }

  Status Late() const {
    late_.Increment();
    return absl::DeadlineExceededError(fmt::format("policy {} did not answer in time", name()));
  }

  std::unique_ptr<Worker> TakeWorker() const {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::make_unique<Worker>(stuck_);
    std::unique_ptr<Worker> worker = std::move(idle_.back());
    idle_.pop_back();
    return worker;
  }

  void ReturnWorker(std::unique_ptr<Worker> worker) const {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(worker));
  }

  const ScorerPtr inner_;
  const nanoseconds budget_;
  const int max_stuck_;
  const Clock& clock_;
  Counter& late_;
  const std::shared_ptr<StuckWorkers> stuck_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Worker>> idle_;  // guarded by mutex_; last in, first out
};

}  // namespace

ScorerPtr MakeDeadlineScorer(ScorerPtr inner, std::chrono::milliseconds budget, int max_stuck,
                             const Clock& clock, Metrics& metrics) {
  return std::make_shared<DeadlineScorer>(std::move(inner), budget, max_stuck, clock, metrics);
}

}  // namespace berth
