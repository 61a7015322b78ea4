#include "learn/ranges_seen.h"

#include <utility>
#include <vector>

#include "learn/learned_sim_policy.h"
#include "sim/in_parallel.h"

namespace berth {
namespace {

void IncludeRow(const std::vector<std::string>& columns, std::span<const float> row,
                FeatureRanges& ranges) {
  for (size_t i = 0; i < columns.size(); ++i) ranges[columns[i]].Include(row[i]);
}

// Looks at every placement of the policy inside. For one run.
class OnlookingScorer final : public Scorer {
 public:
  OnlookingScorer(ScorerPtr inner, const FeatureSchema& schema, FeatureRanges& ranges)
      : inner_(std::move(inner)), schema_(schema), ranges_(ranges) {}

  std::string_view name() const override { return inner_->name(); }

  Result<Answer> Score(const ScoreRequest& request, std::span<float> scores) const override {
    std::vector<float> row(schema_.context_columns().size());
    schema_.EncodeContext(request.cluster->context(), request.cluster->profile(), row);
    IncludeRow(schema_.context_columns(), row, ranges_);
    return inner_->Score(request, scores);
  }

  GpuSet ChooseGpus(const Node& node, const Demand& demand,
                    const WorkloadProfile& profile) const override {
    GpuSet gpus = inner_->ChooseGpus(node, demand, profile);
    std::vector<float> row(schema_.columns().size());
    schema_.EncodePlacements(node, demand, std::span(&gpus, 1), profile, row);
    IncludeRow(schema_.columns(), row, ranges_);
    return gpus;
  }

 private:
  const ScorerPtr inner_;
  const FeatureSchema& schema_;
  FeatureRanges& ranges_;
};

struct Played {
  const Episodes* episodes;
  size_t list;
};

std::vector<Played> AllLists(const TrainingData& data) {
  std::vector<Played> all;
  for (const Regime regime : kRegimes) {
    const Episodes* episodes = data.train[regime].get();
    if (episodes == nullptr) continue;
    for (size_t list = 0; list < episodes->lists(); ++list) all.push_back({episodes, list});
  }
  return all;
}

}  // namespace

Result<FeatureRanges> RangesSeen(const LearnedPolicy& policy, const FeatureSchema& schema,
                                 const TrainingData& data, int threads) {
  const SimPolicy plain = Simulated(std::make_shared<const LearnedPolicy>(policy));
  const auto play = [&](const Played& played) -> Result<FeatureRanges> {
    FeatureRanges ranges;
    SimPolicy looked_at = plain;
    looked_at.make = [&](const SimCluster& cluster) {
      return std::make_shared<OnlookingScorer>(plain.make(cluster), schema, ranges);
    };
    if (Status shown = played.episodes->Show(looked_at, played.list, 0); !shown.ok()) return shown;
    return ranges;
  };
  const auto of_lists = InParallel(AllLists(data), {.threads = threads}, play);
  if (!of_lists.ok()) return of_lists.status();
  FeatureRanges all;
  for (const FeatureRanges& ranges : *of_lists) {
    for (const auto& [column, range] : ranges) {
      all[column].Include(range.least);
      all[column].Include(range.most);
    }
  }
  return all;
}

}  // namespace berth
