#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "cluster/fragmentation.h"
#include "policy/gpu_choices.h"
#include "policy/heuristics.h"
#include "policy/node_groups.h"

namespace berth {
namespace {

struct BestPlacement {
  GpuSet gpus;
  float score = std::numeric_limits<float>::lowest();
};

// The scores are whole numbers on purpose: one step near 0 is about 40 milli-GPU, so many nodes
// tie, and the fixed order of ties then consolidates. At full precision the same rule packs worse.
float WholeScore(double fragmentation_decrease) {
  return static_cast<float>(std::floor(100 / (1 + std::exp(-fragmentation_decrease / 1000))));
}

float PreciseScore(double fragmentation_decrease) {
  return static_cast<float>(fragmentation_decrease);
}

using ScoreOfDecrease = float (*)(double fragmentation_decrease);

class Fgd final : public Scorer {
 public:
  Fgd(std::string_view name, ScoreOfDecrease score) : name_(name), score_(score) {}

  std::string_view name() const override { return name_; }

  Result<Answer> Score(const ScoreRequest& request, std::span<float> scores) const override {
    const NodeGroups groups = GroupEqualNodes(request.candidates);
    std::vector<float> group_scores;
    group_scores.reserve(groups.nodes.size());
    for (const Node* node : groups.nodes) {
      group_scores.push_back(FindBest(*node, request.demand, request.cluster->profile()).score);
    }
    ScoresOfCandidates(groups, group_scores, scores);
    return name();
  }

  GpuSet ChooseGpus(const Node& node, const Demand& demand,
                    const WorkloadProfile& profile) const override {
    GpuChoices choices = DistinctGpuChoices(node.free, demand);
    if (choices.size() == 1) return std::move(choices.front());
    return FindBest(node, demand, profile).gpus;
  }

 private:
  BestPlacement FindBest(const Node& node, const Demand& demand,
                         const WorkloadProfile& profile) const {
    const GpuChoices choices = DistinctGpuChoices(node.free, demand);
    absl::InlinedVector<FreeState, 4> states = {node.free};
    for (const GpuSet& gpus : choices) states.push_back(AfterPlacing(node.free, demand, gpus));
    absl::InlinedVector<double, 4> fragmentations(states.size());
    Fragmentations(node.spec->model, states, profile, fragmentations);
    BestPlacement best;
    for (size_t i = 0; i < choices.size(); ++i) {
      const float score = score_(fragmentations[0] - fragmentations[i + 1]);
      if (score > best.score) best = {choices[i], score};
    }
    return best;
  }

  const std::string_view name_;
  const ScoreOfDecrease score_;
};

}  // namespace

// Fragmentation gradient descent: the placement after which the node's idle GPU is the least
// useless to the typical pods. Source: "Beware of Fragmentation" (Weng et al., USENIX ATC'23), in
// the form that its simulator runs: integer scores, ties in a fixed order of nodes, and among the
// GPUs of a node the highest score at the lowest index.
ScorerPtr MakeFgd() { return std::make_shared<Fgd>("fgd", WholeScore); }

// The same rule by what it is after, in milli-GPU of fragment.
ScorerPtr MakeFgdPrecise() { return std::make_shared<Fgd>("fgd-precise", PreciseScore); }

}  // namespace berth
