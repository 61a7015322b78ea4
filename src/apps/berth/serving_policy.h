#pragma once

#include <string>

#include "apps/berth/guard_options.h"
#include "base/log.h"
#include "base/metrics.h"
#include "berth/clock.h"
#include "policy/served_policy.h"
#include "torch/policy_probation.h"

namespace berth {

// The built-in heuristic called `policy`, or the TorchScript policy in the directory of that name
// (see FindData), which `probation` has seen, as it is: it may fail, or take long. Errors: as
// MakeServingPolicy.
Result<ServedPolicy> LoadPolicy(const std::string& policy, PolicyProbation& probation, Logger& log);

// The policy in charge: either the built-in heuristic called `policy`, or the TorchScript policy in
// the directory of that name (see FindData). The latter may fail, hang or choose badly, so it is
// watched as `guards` says, and their heuristic answers in its place where they step in.
// `probation` sees it before anything of it is loaded here.
// Errors: the policy is refused or does not load, or a name is not known; the message says which.
Result<ServedPolicy> MakeServingPolicy(const std::string& policy, const GuardOptions& guards,
                                       PolicyProbation& probation, const Clock& clock,
                                       Metrics& metrics, Logger& log);

}  // namespace berth
