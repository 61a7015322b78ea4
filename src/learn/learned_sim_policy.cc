#include "learn/learned_sim_policy.h"

#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "learn/node_states.h"
#include "policy/gpu_choices.h"
#include "policy/learned_scorer.h"
#include "policy/recent.h"

namespace berth {
namespace {

// The scores of one demand by state, each until another state needs its place.
class ScoresOfStates {
 public:
  // The score of the state, which `work_out` gives when it is not known.
  template <class WorkOut>
  float For(uint32_t state, WorkOut work_out) {
    Entry& entry = entries_[state % kPlaces];
    if (entry.state != state) entry = {state, work_out()};
    return entry.score;
  }

 private:
  static constexpr size_t kPlaces = 1024;  // 8 KiB; states in use were mostly numbered of late
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
  struct Entry {
    uint32_t state = kNone;
    float score = 0;
  };

  std::vector<Entry> entries_ = std::vector<Entry>(kPlaces);
};

// For one run, which one thread makes, on nodes that each have a slot.
class RunScorer final : public Scorer {
 public:
  explicit RunScorer(std::shared_ptr<const LearnedPolicy> policy) : policy_(std::move(policy)) {}

  std::string_view name() const override { return policy_->name; }

  Result<Answer> Score(const ScoreRequest& request, std::span<float> scores) const override {
    const LearnedScores& learned = For(request.cluster->profile());
    ScoresOfStates& known = scores_[request.demand];
    for (size_t i = 0; i < scores.size(); ++i) {
      const Node& node = *request.candidates[i];
      const uint32_t state = states_.NumberOf(node);
      scores[i] = known.For(state, [&] {
        const double before = Before(learned, node, state, request.demand);
        return learned.BestPlacement(node, request.demand, before).score;
      });
    }
    return name();
  }

  GpuSet ChooseGpus(const Node& node, const Demand& demand,
                    const WorkloadProfile& profile) const override {
    GpuChoices choices = DistinctGpuChoices(node.free, demand);
    if (choices.empty()) return {};
    if (choices.size() == 1) return choices.front();
    const LearnedScores& learned = For(profile);
    const double before = Before(learned, node, states_.NumberOf(node), demand);
    return learned.BestPlacement(node, demand, before).gpus;
  }

 private:
  using OfKinds = std::array<double, kPodKinds>;

  static constexpr size_t kMostDemands = 4096;  // that scores are remembered for

  const LearnedScores& For(const WorkloadProfile& profile) const {
    if (!learned_ || !learned_->IsFor(profile)) {
      learned_.emplace(*policy_, profile);
      before_.clear();
      scores_.Clear();
    }
    return *learned_;
  }

  double Before(const LearnedScores& learned, const Node& node, uint32_t state,
                const Demand& demand) const {
    if (state >= before_.size()) before_.resize(states_.size());
    std::optional<OfKinds>& known = before_[state];
    if (!known) known = learned.BeforeOfKinds(node);
    return (*known)[static_cast<size_t>(KindOfPod(demand))];
  }

  const std::shared_ptr<const LearnedPolicy> policy_;
  mutable std::optional<LearnedScores> learned_;
  mutable NodeStates states_;
  mutable std::vector<std::optional<OfKinds>> before_;  // by state
  mutable Recent<Demand, ScoresOfStates> scores_{kMostDemands};
};

}  // namespace

SimPolicy Simulated(std::shared_ptr<const LearnedPolicy> policy) {
  return {.name = policy->name, .published = "", .make = [policy](const SimCluster&) {
            return std::make_shared<RunScorer>(policy);
          }};
}

}  // namespace berth
