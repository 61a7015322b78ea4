#include "policy/learned_scorer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

#include "cluster/state_tables.h"
#include "policy/gpu_choices.h"
#include "policy/ranking.h"

namespace berth {
namespace {

double Dot(const std::array<double, kStateFeatures>& weights, const StateFeatures& features) {
  double even = 0, odd = 0;  // two sums at a time
  static_assert(kStateFeatures % 2 == 0);
  for (size_t i = 0; i < kStateFeatures; i += 2) {
    even += weights[i] * static_cast<double>(features[i]);
    odd += weights[i + 1] * static_cast<double>(features[i + 1]);
  }
  return even + odd;
}

class LearnedScorer final : public Scorer {
 public:
  explicit LearnedScorer(LearnedPolicy policy) : policy_(std::move(policy)) {}

  std::string_view name() const override { return policy_.name; }

  Result<Answer> Score(const ScoreRequest& request, std::span<float> scores) const override {
    const auto learned = For(request.cluster->profile());
    const PodKind kind = KindOfPod(request.demand);
    for (size_t i = 0; i < scores.size(); ++i) {
      const Node& node = *request.candidates[i];
      const double before = learned->Before(node, kind);
      scores[i] = learned->BestPlacement(node, request.demand, before).score;
    }
    return name();
  }

  GpuSet ChooseGpus(const Node& node, const Demand& demand,
                    const WorkloadProfile& profile) const override {
    if (DistinctGpuChoices(node.free, demand).empty()) return {};
    const auto learned = For(profile);
    return learned->BestPlacement(node, demand, learned->Before(node, KindOfPod(demand))).gpus;
  }

 private:
  std::shared_ptr<const LearnedScores> For(const WorkloadProfile& profile) const {
    const std::lock_guard lock(mutex_);
    if (last_ == nullptr || !last_->IsFor(profile)) {
      last_ = std::make_shared<const LearnedScores>(policy_, profile);
    }
    return last_;
  }

  const LearnedPolicy policy_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const LearnedScores> last_;
};

}  // namespace

LearnedScores::LearnedScores(const LearnedPolicy& policy, const WorkloadProfile& profile)
    : tables_(profile.state_tables()),
      pods_leave_(profile.pods_leave()),
      weights_(policy.WeightsFor(profile)) {}

bool LearnedScores::IsFor(const WorkloadProfile& profile) const {
  return tables_ == profile.state_tables() && pods_leave_ == profile.pods_leave();
}

double LearnedScores::Before(const Node& node, PodKind kind) const {
  const StateFeatures features = FeaturesOf(*node.spec, node.free, *tables_, TableFor(node));
  return Dot(weights_[static_cast<size_t>(kind)].before, features);
}

std::array<double, kPodKinds> LearnedScores::BeforeOfKinds(const Node& node) const {
  const StateFeatures features = FeaturesOf(*node.spec, node.free, *tables_, TableFor(node));
  std::array<double, kPodKinds> scores;
  for (size_t kind = 0; kind < kPodKinds; ++kind) {
    scores[kind] = Dot(weights_[kind].before, features);
  }
  return scores;
}

LearnedScores::Best LearnedScores::BestPlacement(const Node& node, const Demand& demand,
                                                 double before) const {
  const auto& weights = weights_[static_cast<size_t>(KindOfPod(demand))].after;
  const StateTable& table = TableFor(node);
  Best best{.score = std::numeric_limits<float>::lowest()};
  float best_on_grid = best.score;
  for (const GpuSet& gpus : DistinctGpuChoices(node.free, demand)) {
    const FreeState after = AfterPlacing(node.free, demand, gpus);
    const auto score =
        static_cast<float>(before + Dot(weights, FeaturesOf(*node.spec, after, *tables_, table)));
    if (!std::isfinite(score)) return {gpus, score};
    best.score = std::max(best.score, score);
    if (OnScoreGrid(score) <= best_on_grid) continue;
    best_on_grid = OnScoreGrid(score);
    best.gpus = gpus;
  }
  return best;
}

const StateTable& LearnedScores::TableFor(const Node& node) const {
  return tables_->For(node.spec->model);
}

ScorerPtr MakeLearnedScorer(LearnedPolicy policy) {
  return std::make_shared<LearnedScorer>(std::move(policy));
}

}  // namespace berth
