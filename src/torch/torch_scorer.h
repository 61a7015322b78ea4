#pragma once

#include <filesystem>

#include "base/log.h"
#include "berth/policy.h"
#include "torch/policy_file.h"

namespace berth {

// Loads the TorchScript policy, checks it against the contract of berth/policy.h, and warms it up.
// The scorer evaluates equal candidates once and all others in one forward (policy/row_scorer.h);
// every libtorch exception ends here as INTERNAL.
//
// Loading runs code that policy.pt brings along: the SHA-256 says that the file is the one that
// the manifest was written for, not that its author is trusted. What serves has passed
// PolicyProbation (torch/policy_probation.h) first.
//
// Blocks for tens of milliseconds. Errors say what is wrong with the module.
Result<ScorerPtr> MakeTorchPolicy(PolicyFile file, Logger& log);

// The same for the policy in `directory`, which ReadPolicyFile (torch/policy_file.h) checks against
// its manifest. Errors name the file and field, and what would be right.
Result<ScorerPtr> LoadTorchPolicy(const std::filesystem::path& directory, Logger& log);

}  // namespace berth
