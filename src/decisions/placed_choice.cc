#include "decisions/placed_choice.h"

#include <absl/strings/str_cat.h>

#include <vector>

#include "cluster/gpu_choice.h"
#include "policy/choice_regret.h"
#include "policy/ranking.h"

namespace berth {

PlacedChoice ChoiceOf(const DecisionRecord& record) {
  return {0, record.gpus,
          AddedFragmentation({&record.classes.front().example, record.gpus}, record.demand,
                             *record.profile)};
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
  choice.added_fragmentation =
      AddedFragmentation({&node, choice.gpus}, record.demand, *record.profile);
  return choice;
}

}  // namespace berth
