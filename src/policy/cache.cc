#include "policy/cache.h"

#include <cmath>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "policy/recent.h"
#include "policy/score_row.h"

namespace berth {
namespace {

// What a score depends on besides the node.
struct Question {
  explicit Question(const ScoreRequest& request)
      : demand(request.demand),
        gpu_load_bucket(request.cluster->context().gpu_load_bucket),
        pods_leave(request.cluster->profile().pods_leave()),
        profile(request.cluster->profile().state_tables()) {}

  auto operator<=>(const Question&) const = default;

  Demand demand;
  int gpu_load_bucket;
  bool pods_leave;
  std::shared_ptr<const StateTables> profile;  // another one for every profile
};

class CachedScorer final : public Scorer {
 public:
  CachedScorer(ScorerPtr inner, size_t max_classes, Metrics& metrics)
      : inner_(std::move(inner)),
        remembered_(AddCounter(metrics, "cache")),
        computed_(AddCounter(metrics, "model")),
        rows_(max_classes) {}

  std::string_view name() const override { return inner_->name(); }

  Result<Answer> Score(const ScoreRequest& request, std::span<float> scores) const override {
    const Question question(request);
    const std::vector<size_t> missing = LookUp(question, request.candidates, scores);
    remembered_.Increment(static_cast<double>(scores.size() - missing.size()));
    if (missing.empty()) return name();
    computed_.Increment(static_cast<double>(missing.size()));

    std::vector<const Node*> nodes;
    for (const size_t i : missing) nodes.push_back(request.candidates[i]);
    std::vector<float> computed(nodes.size());
    const Result<Answer> answered =
        inner_->Score({request.cluster, request.demand, nodes, request.deadline}, computed);
    if (!answered.ok()) return answered;
    for (size_t i = 0; i < missing.size(); ++i) scores[missing[i]] = computed[i];
    Remember(question, nodes, computed);
    return answered;
  }

  GpuSet ChooseGpus(const Node& node, const Demand& demand,
                    const WorkloadProfile& profile) const override {
    return inner_->ChooseGpus(node, demand, profile);
  }

 private:
  Counter& AddCounter(Metrics& metrics, const std::string& source) const {
    return metrics.AddCounter("berth_policy_scores_total",
                              "Nodes scored, by where the score came from.",
                              {{"policy", std::string(inner_->name())}, {"source", source}});
  }

  // Fills in what is known; gives the positions of the others.
  std::vector<size_t> LookUp(const Question& question, std::span<const Node* const> candidates,
                             std::span<float> scores) const {
    std::vector<size_t> missing;
    const std::lock_guard lock(mutex_);
    const ScoreRow& row = rows_[question];
    for (size_t i = 0; i < candidates.size(); ++i) {
      if (row.Knows(*candidates[i])) {
        scores[i] = row.scores()[candidates[i]->slot];
      } else {
        missing.push_back(i);
      }
    }
    return missing;
  }

  // What others asked about meanwhile may have pushed the row out: then it begins anew.
  void Remember(const Question& question, std::span<const Node* const> nodes,
                std::span<const float> scores) const {
    const std::lock_guard lock(mutex_);
    ScoreRow& row = rows_[question];
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (std::isfinite(scores[i])) row.Set(*nodes[i], scores[i]);
    }
  }

  const ScorerPtr inner_;
  Counter& remembered_;
  Counter& computed_;
  mutable std::mutex mutex_;
  mutable Recent<Question, ScoreRow> rows_;
};

}  // namespace

ScorerPtr MakeCachedScorer(ScorerPtr inner, size_t max_classes, Metrics& metrics) {
  return std::make_shared<CachedScorer>(std::move(inner), max_classes, metrics);
}

}  // namespace berth
