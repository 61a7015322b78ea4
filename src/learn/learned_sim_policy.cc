#include "learn/learned_sim_policy.h"

#include <optional>
#include <utility>
#include <vector>

#include "policy/gpu_choices.h"
#include "policy/learned_scorer.h"
#include "policy/node_groups.h"

namespace berth {
namespace {

// For one run, which one thread makes, on nodes that each have a slot.
class RunScorer final : public Scorer {
 public:
  explicit RunScorer(std::shared_ptr<const LearnedPolicy> policy) : policy_(std::move(policy)) {}

  std::string_view name() const override { return policy_->name; }

  Result<std::string_view> Score(const ScoreRequest& request,
                                 std::span<float> scores) const override {
    const LearnedScores& learned = For(request.cluster->profile());
    if (request.candidates.size() < kWorthGrouping) {
      ScoreEach(learned, request.demand, request.candidates, scores);
      return name();
    }
    const NodeGroups groups = GroupEqualNodes(request.candidates);
    std::vector<float> group_scores(groups.nodes.size());
    ScoreEach(learned, request.demand, groups.nodes, group_scores);
    ScoresOfCandidates(groups, group_scores, scores);
    return name();
  }

  GpuSet ChooseGpus(const Node& node, const Demand& demand,
                    const WorkloadProfile& profile) const override {
    GpuChoices choices = DistinctGpuChoices(node.free, demand);
    if (choices.empty()) return {};
    if (choices.size() == 1) return choices.front();
    const LearnedScores& learned = For(profile);
    return learned.BestPlacement(node, demand, Before(learned, node, demand)).gpus;
  }

 private:
  using OfKinds = std::array<double, kPodKinds>;
  struct Known {
    uint64_t generation = 0;
    OfKinds of_kinds{};
  };

  // Most of the whole cluster may be idle; among a few nodes that changed hardly any are alike.
  static constexpr size_t kWorthGrouping = 64;

  void ScoreEach(const LearnedScores& learned, const Demand& demand,
                 std::span<const Node* const> nodes, std::span<float> scores) const {
    for (size_t i = 0; i < nodes.size(); ++i) {
      const double before = Before(learned, *nodes[i], demand);
      scores[i] = learned.BestPlacement(*nodes[i], demand, before).score;
    }
  }

  const LearnedScores& For(const WorkloadProfile& profile) const {
    if (!learned_ || !learned_->IsFor(profile)) {
      learned_.emplace(*policy_, profile);
      before_.clear();
    }
    return *learned_;
  }

  // A node of generation 0 is like no other (berth/node.h).
  double Before(const LearnedScores& learned, const Node& node, const Demand& demand) const {
    if (node.slot >= before_.size()) before_.resize(node.slot + 1);
    Known& known = before_[node.slot];
    if (known.generation != node.generation || node.generation == 0) {
      known = {node.generation, learned.BeforeOfKinds(node)};
    }
    return known.of_kinds[static_cast<size_t>(KindOfPod(demand))];
  }

  const std::shared_ptr<const LearnedPolicy> policy_;
  mutable std::optional<LearnedScores> learned_;
  mutable std::vector<Known> before_;  // by slot
};

}  // namespace

SimPolicy Simulated(std::shared_ptr<const LearnedPolicy> policy) {
  return {.name = policy->name, .published = "", .make = [policy](const SimCluster&) {
            return std::make_shared<RunScorer>(policy);
          }};
}

}  // namespace berth
