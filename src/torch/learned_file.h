#pragma once

#include <filesystem>
#include <string>

#include "berth/features.h"
#include "berth/result.h"
#include "policy/learned_policy.h"
#include "torch/manifest.h"

namespace berth {

// A learned policy as a policy.pt and back. The module holds the weights as one tensor and computes
// in double like MakeLearnedScorer (policy/learned_scorer.h), so the two rank alike.

// The columns that learned policies read.
FeatureSchema LearnedSchema();

// Writes policy.pt and manifest.json into `directory`, which it creates where needed; files of
// these names are replaced as a whole, or not at all. Name, columns, their hash, the file's and
// libtorch's version are filled in; the rest of `about` is kept (torch/manifest.h). The same
// libtorch writes the same policy.pt every time.
Status WriteLearnedPolicy(const LearnedPolicy& policy, PolicyManifest about,
                          const std::filesystem::path& directory);

// Errors: those of ReadPolicyFile (torch/policy_file.h); UNIMPLEMENTED when it is a policy of
// another kind.
Result<LearnedPolicy> ReadLearnedPolicy(const std::filesystem::path& directory);

}  // namespace berth
