#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "base/rng.h"
#include "berth/result.h"
#include "learn/node_choice.h"
#include "policy/learned_policy.h"
#include "sim/evaluation.h"

namespace berth {

// A cluster in a few numbers: the sum of each state feature over its nodes.
using ClusterSummary = std::array<double, kStateFeatures>;

// A packing run in which a learned policy tries things, as it is learned from.
struct PackingRollout {
  // At an arrival.
  struct Step {
    double load = 0;    // demand that arrived before, in parts of all GPUs
    double failed = 0;  // GPUs that the pod asks for, where no node can take it; else 0
    std::array<float, kStateFeatures> summary{};  // of the cluster before it
  };

  std::vector<Step> steps;
  std::vector<NodeChoice> choices;  // some of those that were made
};

struct RolloutSettings {
  double temperature = 0.01;  // of the softmax over scores: how far a choice strays from the best
  double recorded = 0.25;     // of the choices, drawn
};

// Plays one order. Where an expert is given, that one chooses the nodes; else they are drawn by the
// scores of the policy, which chooses the GPUs in either case. `rng` draws both nodes and what is
// recorded. Errors: those of RunPacking (sim/packing_run.h).
Result<PackingRollout> RollOutPacking(const std::shared_ptr<const LearnedPolicy>& policy,
                                      const SeededTrace& trace, size_t order,
                                      const FeatureScales& scales, const RolloutSettings& settings,
                                      const SimPolicy* expert, Rng rng);

}  // namespace berth
