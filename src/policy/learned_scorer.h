#pragma once

#include <memory>
#include <string_view>

#include "berth/policy.h"
#include "policy/learned_policy.h"

namespace berth {

// The policy for one profile, without libtorch: the same scores as its TorchScript form, up to
// rounding. Immutable; safe from any thread.
class LearnedScores {
 public:
  struct Best {
    GpuSet gpus;      // of the ways that are equal on the score grid, that with the lowest GPU
    float score = 0;  // the highest of any way; not finite when one of them is not
  };

  LearnedScores(const LearnedPolicy& policy, const WorkloadProfile& profile);

  // Whether it is for that profile.
  bool IsFor(const WorkloadProfile& profile) const;

  // What the node's state as it is adds to the score of any way of placing a pod of the kind on it.
  double Before(const Node& node, PodKind kind) const;
  std::array<double, kPodKinds> BeforeOfKinds(const Node& node) const;

  // The best way of placing the demand on the node. `before` is Before() of the demand's kind.
  // REQUIRES: the demand fits.
  Best BestPlacement(const Node& node, const Demand& demand, double before) const;

 private:
  const StateTable& TableFor(const Node& node) const;

  const std::shared_ptr<const StateTables> tables_;
  const bool pods_leave_;
  const PlacementWeights weights_;
};

// Asked under any profile; keeps what it needs to know about the one asked about last.
ScorerPtr MakeLearnedScorer(LearnedPolicy policy);

}  // namespace berth
