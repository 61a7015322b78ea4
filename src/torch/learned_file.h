#pragma once

#include <filesystem>
#include <string>

#include "berth/result.h"
#include "policy/learned_policy.h"

namespace berth {

// A learned policy as a policy.pt and back. The module holds the weights as one tensor and computes
// in double like MakeLearnedScorer (policy/learned_scorer.h), so the two rank alike.

// Writes policy.pt and manifest.json into `directory`, which it creates where needed; files of
// these names are replaced as a whole, or not at all. `created_by` and `training` go into the
// manifest (torch/manifest.h). The same libtorch writes the same bytes every time.
Status WriteLearnedPolicy(const LearnedPolicy& policy, const std::string& created_by,
                          const std::string& training, const std::filesystem::path& directory);

// Errors: those of ReadPolicyFile (torch/policy_file.h); UNIMPLEMENTED when it is a policy of
// another kind.
Result<LearnedPolicy> ReadLearnedPolicy(const std::filesystem::path& directory);

}  // namespace berth
