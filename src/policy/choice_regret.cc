#include "policy/choice_regret.h"

#include <utility>

#include "cluster/fragmentation.h"
#include "policy/gpu_choices.h"

namespace berth {

Choice ChoiceOn(const Node& node, const Scorer& policy, const Demand& demand,
                const WorkloadProfile& profile) {
  GpuChoices choices = DistinctGpuChoices(node.free, demand);
  if (choices.size() == 1) return {&node, std::move(choices.front())};
  return {&node, policy.ChooseGpus(node, demand, profile)};
}

double AddedFragmentation(const Choice& choice, const Demand& demand,
                          const WorkloadProfile& profile) {
  const Node& node = *choice.node;
  const FreeState after = AfterPlacing(node.free, demand, choice.gpus);
  return Fragmentation(node.spec->model, after, profile) -
         Fragmentation(node.spec->model, node.free, profile);
}

double ChoiceRegret(const Choice& choice, const Choice& other, const Demand& demand,
                    const WorkloadProfile& profile) {
  return AddedFragmentation(choice, demand, profile) - AddedFragmentation(other, demand, profile);
}

}  // namespace berth
