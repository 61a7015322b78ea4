#include "decisions/placed_choice.h"

#include <absl/strings/str_cat.h>

#include <vector>

#include "cluster/fragmentation.h"
#include "cluster/gpu_choice.h"
#include "policy/ranking.h"

namespace berth {

double AddedFragmentation(const DecisionRecord& record, const Node& node, const GpuSet& gpus) {
  const GpuModel& model = node.spec->model;
  const FreeState after = AfterPlacing(node.free, record.demand, gpus);
  return Fragmentation(model, after, *record.profile) -
         Fragmentation(model, node.free, *record.profile);
}

PlacedChoice ChoiceOf(const DecisionRecord& record) {
  return {0, record.gpus, AddedFragmentation(record, record.classes.front().example, record.gpus)};
}

Result<PlacedChoice> ChoiceOf(const Scorer& policy, const DecisionRecord& record) {
  const ClusterViewPtr view = ViewOf(record);
  std::vector<const Node*> candidates;  // in the order of the classes
  for (const CandidateClass& one : record.classes) {
    candidates.push_back(view->Find(one.example.name().value()));
  }
  const Result<Ranking> ranking = Rank(policy, view, record.demand, candidates);
  if (!ranking.ok()) return ranking.status();
  if (ranking->feasible == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "request ", record.request, ": none of the logged candidates can take the pod"));
  }
  PlacedChoice choice{.in_class = ranking->order.front()};
  const Node& node = *candidates[choice.in_class];
  choice.gpus = policy.ChooseGpus(node, record.demand, *record.profile);
  if (!AreFree(choice.gpus, node.free, record.demand)) {
    choice.gpus = ChooseGpusBestFit(node.free, record.demand);
  }
  choice.added_fragmentation = AddedFragmentation(record, node, choice.gpus);
  return choice;
}

}  // namespace berth
