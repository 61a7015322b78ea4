#include "policy/cache.h"

#include <absl/container/flat_hash_map.h>

#include <cmath>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace berth {
namespace {

// What a score depends on besides the node.
struct Question {
  explicit Question(const ScoreRequest& request)
      : demand(request.demand),
        gpu_load_bucket(request.cluster->context().gpu_load_bucket),
        regime(request.cluster->context().regime),
        profile(request.cluster->profile().version()) {}

  auto operator<=>(const Question&) const = default;

  Demand demand;
  int gpu_load_bucket;
  int regime;
  std::string profile;
};

// Scores by generation of the node.
using Scores = absl::flat_hash_map<uint64_t, float>;

class CachedScorer final : public Scorer {
 public:
  CachedScorer(ScorerPtr inner, size_t max_classes, Metrics& metrics)
      : inner_(std::move(inner)),
        max_classes_(max_classes),
        remembered_(AddCounter(metrics, "cache")),
        computed_(AddCounter(metrics, "model")) {}

  std::string_view name() const override { return inner_->name(); }

  Result<std::string_view> Score(const ScoreRequest& request,
                                 std::span<float> scores) const override {
    const Question question(request);
    const std::vector<size_t> missing = LookUp(question, request.candidates, scores);
    remembered_.Increment(static_cast<double>(scores.size() - missing.size()));
    if (missing.empty()) return name();
    computed_.Increment(static_cast<double>(missing.size()));

    std::vector<const Node*> nodes;
    for (const size_t i : missing) nodes.push_back(request.candidates[i]);
    std::vector<float> computed(nodes.size());
    const Result<std::string_view> answered =
        inner_->Score({request.cluster, request.demand, nodes, request.deadline}, computed);
    if (!answered.ok()) return answered;
    for (size_t i = 0; i < missing.size(); ++i) scores[missing[i]] = computed[i];
    Remember(question, request.candidates, scores);
    return answered;
  }

  GpuSet ChooseGpus(const Node& node, const Demand& demand,
                    const WorkloadProfile& profile) const override {
    return inner_->ChooseGpus(node, demand, profile);
  }

 private:
  // Questions, the one asked last first.
  using Recent = std::list<std::pair<Question, Scores>>;

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
    const Scores& known = Find(question);
    for (size_t i = 0; i < candidates.size(); ++i) {
      const auto score = known.find(candidates[i]->generation);
      if (score == known.end()) {
        missing.push_back(i);
      } else {
        scores[i] = score->second;
      }
    }
    return missing;
  }

  void Remember(const Question& question, std::span<const Node* const> candidates,
                std::span<const float> scores) const {
    const std::lock_guard lock(mutex_);
    Scores& known = Find(question);
    // Most of what is there in excess of the candidates are states that no node has any more.
    if (known.size() > 2 * candidates.size() + 64) known.clear();
    for (size_t i = 0; i < candidates.size(); ++i) {
      const uint64_t state = candidates[i]->generation;
      if (state != 0 && std::isfinite(scores[i])) known[state] = scores[i];
    }
  }

  // REQUIRES: mutex_ is held. Valid until the next call.
  Scores& Find(const Question& question) const {
    const auto known = places_.find(question);
    if (known != places_.end()) {
      recent_.splice(recent_.begin(), recent_, known->second);
      return recent_.front().second;
    }
    if (recent_.size() >= max_classes_) {
      places_.erase(recent_.back().first);
      recent_.pop_back();
    }
    recent_.emplace_front(question, Scores());
    places_.emplace(question, recent_.begin());
    return recent_.front().second;
  }

  const ScorerPtr inner_;
  const size_t max_classes_;
  Counter& remembered_;
  Counter& computed_;
  mutable std::mutex mutex_;
  mutable Recent recent_;
  mutable std::map<Question, Recent::iterator> places_;
};

}  // namespace

ScorerPtr MakeCachedScorer(ScorerPtr inner, size_t max_classes, Metrics& metrics) {
  return std::make_shared<CachedScorer>(std::move(inner), max_classes, metrics);
}

}  // namespace berth
