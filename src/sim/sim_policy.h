#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "berth/policy.h"
#include "berth/result.h"
#include "sim/sim_cluster.h"

namespace berth {

// Which of the nodes with the highest score wins.
enum class TieRule {
  kFirst,   // the first in the order of the cluster
  kRandom,  // any of them, drawn evenly
};

// Which GPU a share gets. Whole GPUs are alike.
enum class ShareRule {
  kPolicy,  // the one that the policy chooses
  kRandom,  // any that fits, drawn evenly
};

// A policy as it is simulated: how it scores, and what it leaves to chance.
struct SimPolicy {
  std::string name;            // on the command line
  std::string_view published;  // what the results of the FGD paper call it; empty: not among them
  // For one run on the cluster, which outlives the scorer.
  std::function<ScorerPtr(const SimCluster& cluster)> make;
  TieRule ties = TieRule::kFirst;
  ShareRule share = ShareRule::kPolicy;
};

// The six policies of the FGD paper first, then FGD under other rules and the other built-in ones.
std::span<const SimPolicy> SimPolicies();

// Errors: NOT_FOUND that lists the names there are.
Result<SimPolicy> FindSimPolicy(std::string_view name);

}  // namespace berth
