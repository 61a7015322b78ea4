#include "learn/packing_rollout.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "cluster/state_tables.h"
#include "learn/learned_sim_policy.h"
#include "policy/learned_scorer.h"
#include "ppo/masked_softmax.h"
#include "sim/draw.h"
#include "sim/node_scores.h"
#include "sim/placer.h"

namespace berth {
namespace {

constexpr size_t kMostTried = 24;
constexpr double kFarBelow = 12;  // in temperatures: too unlikely to be a candidate

struct Candidate {
  float score;
  uint32_t node;  // the first with that score

  bool operator==(const Candidate& other) const { return score == other.score; }
};

// The likely ones, by falling score.
std::vector<Candidate> CandidatesIn(const NodeScores::Row& scores, size_t nodes,
                                    double temperature) {
  const auto least = static_cast<float>(scores.Max() - kFarBelow * temperature);
  std::vector<Candidate> found;
  for (uint32_t node = 0; node < nodes; ++node) {
    if (scores[node] >= least) found.push_back({scores[node], node});
  }
  std::ranges::stable_sort(found, std::greater<>(), &Candidate::score);
  found.erase(std::ranges::unique(found).begin(), found.end());
  if (found.size() > kMostTried) found.resize(kMostTried);
  return found;
}

class Rollout {
 public:
  Rollout(const std::shared_ptr<const LearnedPolicy>& policy, const Trace& trace,
          const EventOrder& order, const FeatureScales& scales, const RolloutSettings& settings,
          Rng rng)
      : scales_(scales),
        settings_(settings),
        rng_(rng),
        demands_(trace.pods),
        cluster_(IdleCluster(trace, order)),
        profile_(MixOn(cluster_, trace.profile, /*pods_leave=*/false)),
        learned_(*policy, *profile_),
        sim_policy_(Simulated(policy)),
        placer_(sim_policy_, cluster_, demands_, profile_, rng_) {
    for (const Node& node : cluster_.nodes()) {
      Add(FeaturesOf(*node.spec, node.free, *profile_), 1);
    }
  }

  void Follow(const SimPolicy& expert) {
    expert_ = expert.make(cluster_);
    expert_scores_.emplace(*expert_, cluster_, demands_.distinct, SurroundingsOf(profile_),
                           demands_.distinct.size());
  }

  Status Arrive(uint32_t pod) {
    demand_ = demands_.of_pod[pod];
    const auto wanted = ExpertsNode();
    if (!wanted.ok()) return wanted.status();
    StateFeatures before{};
    const auto place = placer_.TryPlace(demand_, [&](const NodeScores::Row& scores) {
      const size_t node = *wanted ? RecordExpert(scores, **wanted) : DrawNode(scores);
      before = Features(cluster_.nodes()[node]);
      return node;
    });
    if (!place.ok()) return place.status();
    CountStep(/*failed=*/!*place);
    if (!*place) return absl::OkStatus();
    Add(before, -1);
    Add(Features(cluster_.nodes()[(*place)->node]), 1);
    return absl::OkStatus();
  }

  PackingRollout Take() { return std::move(rollout_); }

 private:
  StateFeatures Features(const Node& node) const {
    return FeaturesOf(*node.spec, node.free, *profile_);
  }

  void Add(const StateFeatures& features, double times) {
    for (size_t i = 0; i < kStateFeatures; ++i) summary_[i] += times * features[i];
  }

  // The summary is still that of the cluster before the step.
  void CountStep(bool failed) {
    const auto wants = static_cast<double>(demands_.distinct[demand_].TotalGpu().value());
    PackingRollout::Step step{
        .load = arrived_ / static_cast<double>(cluster_.gpu_capacity().value()),
        .failed = failed ? wants / static_cast<double>(kWholeGpu.value()) : 0};
    std::ranges::copy(summary_, step.summary.begin());
    rollout_.steps.push_back(step);
    arrived_ += wants;
  }

  // None without an expert, or where no node can take the demand.
  Result<std::optional<size_t>> ExpertsNode() {
    if (!expert_scores_) return std::nullopt;
    const auto scores = expert_scores_->For(demand_);
    if (!scores.ok()) return scores.status();
    if ((*scores)->Max() == NodeScores::kCannotTakeIt) return std::nullopt;
    return (*scores)->FirstMax();
  }

  size_t DrawNode(const NodeScores::Row& scores) {
    const auto candidates = CandidatesIn(scores, cluster_.nodes().size(), settings_.temperature);
    if (candidates.size() == 1) return candidates.front().node;
    std::vector<double> logits;
    for (const Candidate& candidate : candidates) {
      logits.push_back(candidate.score / settings_.temperature);
    }
    if (!LogSoftmax(logits, logits)) return candidates.front().node;
    const size_t chosen = DrawCandidate(logits, rng_);
    RecordSome(candidates, chosen);
    return candidates[chosen].node;
  }

  // What the expert takes is a candidate in any case.
  size_t RecordExpert(const NodeScores::Row& scores, size_t wanted) {
    auto candidates = CandidatesIn(scores, cluster_.nodes().size(), settings_.temperature);
    const Candidate taken{scores[wanted], static_cast<uint32_t>(wanted)};
    auto found = std::ranges::find(candidates, taken);
    if (found == candidates.end()) found = candidates.insert(found, taken);
    if (candidates.size() > 1) RecordSome(candidates, found - candidates.begin());
    return wanted;
  }

  void RecordSome(const std::vector<Candidate>& candidates, size_t chosen) {
    if (DrawUnit(rng_) > settings_.recorded) return;
    const Demand& demand = demands_.distinct[demand_];
    NodeChoice choice{.kind = KindOfPod(demand),
                      .mix = profile_->state_tables()->numbers,
                      .step = static_cast<uint32_t>(rollout_.steps.size()),
                      .chosen = static_cast<uint32_t>(chosen)};
    for (const Candidate& candidate : candidates) {
      const Node& node = cluster_.nodes()[candidate.node];
      const double before = learned_.Before(node, choice.kind);
      const GpuSet gpus = learned_.BestPlacement(node, demand, before).gpus;
      const FreeState after = AfterPlacing(node.free, demand, gpus);
      choice.scores.push_back(candidate.score);
      choice.features.push_back(
          ChoiceFeaturesOf(Features(node), FeaturesOf(*node.spec, after, *profile_), scales_));
    }
    rollout_.choices.push_back(std::move(choice));
  }

  const FeatureScales& scales_;
  const RolloutSettings& settings_;
  Rng rng_;
  const Demands demands_;
  SimCluster cluster_;
  const WorkloadProfilePtr profile_;
  const LearnedScores learned_;
  const SimPolicy sim_policy_;
  Placer placer_;
  ScorerPtr expert_;
  std::optional<NodeScores> expert_scores_;
  size_t demand_ = 0;   // that arrives
  double arrived_ = 0;  // in milli-GPU
  ClusterSummary summary_{};
  PackingRollout rollout_;
};

}  // namespace

Result<PackingRollout> RollOutPacking(const std::shared_ptr<const LearnedPolicy>& policy,
                                      const SeededTrace& trace, size_t order,
                                      const FeatureScales& scales, const RolloutSettings& settings,
                                      const SimPolicy* expert, Rng rng) {
  const EventOrder& events = trace.seeds[order].order;
  Rollout rollout(policy, trace.trace, events, scales, settings, std::move(rng));
  if (expert != nullptr) rollout.Follow(*expert);
  for (const uint32_t pod : events.arrivals) {
    if (Status arrived = rollout.Arrive(pod); !arrived.ok()) return arrived;
  }
  return rollout.Take();
}

}  // namespace berth
