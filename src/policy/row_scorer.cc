#include "policy/row_scorer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "cluster/gpu_choice.h"
#include "policy/gpu_choices.h"
#include "policy/node_groups.h"
#include "policy/ranking.h"

namespace berth {
namespace {

// Rows of several nodes, one after the other.
struct Rows {
  std::vector<float> values;
  std::vector<size_t> ends;  // of each node's rows, counted in rows

  size_t count() const { return ends.empty() ? 0 : ends.back(); }
};

bool AllFinite(std::span<const float> scores) {
  return std::ranges::all_of(scores, [](float score) { return std::isfinite(score); });
}

float BestOf(std::span<const float> scores) {
  return AllFinite(scores) ? std::ranges::max(scores) : std::numeric_limits<float>::quiet_NaN();
}

class RowScorer final : public Scorer {
 public:
  RowScorer(std::string name, FeatureSchema schema, std::unique_ptr<const RowModel> model)
      : name_(std::move(name)), schema_(std::move(schema)), model_(std::move(model)) {}

  std::string_view name() const override { return name_; }

  Result<Answer> Score(const ScoreRequest& request, std::span<float> scores) const override {
    if (request.candidates.empty()) return name();
    const NodeGroups groups = GroupEqualNodes(request.candidates);
    const Rows rows = Encode(groups.nodes, request.demand, request.cluster->profile());
    const auto row_scores = Evaluate(rows, request.cluster->context(), request.cluster->profile());
    if (!row_scores.ok()) return row_scores.status();
    ScoresOfCandidates(groups, BestOfEachNode(rows, *row_scores), scores);
    return name();
  }

  GpuSet ChooseGpus(const Node& node, const Demand& demand,
                    const WorkloadProfile& profile) const override {
    const GpuChoices choices = DistinctGpuChoices(node.free, demand);
    if (choices.empty()) return {};
    if (choices.size() == 1) return choices.front();
    const Node* const nodes[] = {&node};
    auto scores = Evaluate(Encode(nodes, demand, profile), ClusterContext(), profile);
    if (!scores.ok() || !AllFinite(*scores)) return ChooseGpusBestFit(node.free, demand);
    return choices[std::ranges::max_element(*scores, {}, OnScoreGrid) - scores->begin()];
  }

 private:
  Rows Encode(std::span<const Node* const> nodes, const Demand& demand,
              const WorkloadProfile& profile) const {
    const size_t width = schema_.columns().size();
    Rows rows;
    for (const Node* node : nodes) {
      const GpuChoices choices = DistinctGpuChoices(node->free, demand);
      const size_t begin = rows.values.size();
      rows.values.resize(begin + choices.size() * width);
      schema_.EncodePlacements(*node, demand, choices, profile,
                               std::span(rows.values).subspan(begin));
      rows.ends.push_back(rows.count() + choices.size());
    }
    return rows;
  }

  Result<std::vector<float>> Evaluate(const Rows& rows, const ClusterContext& cluster,
                                      const WorkloadProfile& profile) const {
    std::vector<float> context(schema_.context_columns().size());
    schema_.EncodeContext(cluster, profile, context);
    std::vector<float> scores(rows.count());
    const Status evaluated = model_->Evaluate(rows.values, context, scores);
    if (!evaluated.ok()) return evaluated;
    return scores;
  }

  static std::vector<float> BestOfEachNode(const Rows& rows, std::span<const float> row_scores) {
    std::vector<float> best;
    size_t begin = 0;
    for (size_t end : rows.ends) {
      best.push_back(BestOf(row_scores.subspan(begin, end - begin)));
      begin = end;
    }
    return best;
  }

  const std::string name_;
  const FeatureSchema schema_;
  const std::unique_ptr<const RowModel> model_;
};

}  // namespace

ScorerPtr MakeRowScorer(std::string name, FeatureSchema schema,
                        std::unique_ptr<const RowModel> model) {
  return std::make_shared<RowScorer>(std::move(name), std::move(schema), std::move(model));
}

}  // namespace berth
