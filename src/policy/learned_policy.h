#pragma once

#include <array>
#include <string>

#include "berth/workload_profile.h"
#include "cluster/mix_numbers.h"
#include "cluster/state_features.h"
#include "policy/pod_kind.h"

namespace berth {

// score = sum over the state features of before * its value without the pod
//                                      + after * its value with the pod
struct StateWeights {
  std::array<double, kStateFeatures> before{};
  std::array<double, kStateFeatures> after{};

  bool operator==(const StateWeights&) const = default;
};
using PlacementWeights = std::array<StateWeights, kPodKinds>;

// A policy over state features, linear in them, whose weights are linear in the mix numbers:
//   weights = common + sum of number * of_number
// So it is as quick as one vector of weights once the mix is known, and what is learned about one
// sort of mix leaves the others alone.
struct LearnedPolicy {
  struct RegimeWeights {
    PlacementWeights common{};
    std::array<PlacementWeights, kMixNumbers> of_number{};

    bool operator==(const RegimeWeights&) const = default;
  };

  std::string name;
  RegimeWeights packing;  // pods only arrive
  RegimeWeights living;   // pods also leave

  PlacementWeights WeightsFor(const WorkloadProfile& profile) const;

  bool operator==(const LearnedPolicy&) const = default;
};

// Calls `visit` with every weight, always in the same order: packing before living, what mixes have
// in common before the numbers, kind by kind, before placement and then after. `policy` is a
// LearnedPolicy, const or not.
template <class Policy, class Visit>
void ForEachWeight(Policy& policy, Visit visit) {
  const auto of_term = [&](auto& term) {
    for (auto& kind : term) {
      for (auto& weight : kind.before) visit(weight);
      for (auto& weight : kind.after) visit(weight);
    }
  };
  for (auto* regime : {&policy.packing, &policy.living}) {
    of_term(regime->common);
    for (auto& term : regime->of_number) of_term(term);
  }
}

// The same scores as FGD + best-fit (policy/fgd_bestfit.h) whatever the mix: where training starts.
LearnedPolicy FgdBestFitAsLearned(std::string name);

}  // namespace berth
