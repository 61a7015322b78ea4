#pragma once

#include <filesystem>
#include <string_view>

#include "berth/result.h"
#include "policy/linear.h"
#include "torch/manifest.h"

namespace berth {

// Writes the policy as a TorchScript module with its manifest, policy.pt and manifest.json, into
// `directory`, which it creates where needed; files of these names are replaced. The module
// computes in double like MakeLinearScorer, so the two rank alike. The same libtorch writes the
// same policy.pt every time. Of `about`, `version`, `created` and `created_by` are kept; everything
// else is filled in.
Status ExportLinearPolicy(const LinearPolicy& policy, PolicyManifest about,
                          const std::filesystem::path& directory);

// The same for a built-in heuristic by name. Columns are floats in GPUs, so that FGD's whole scores
// may be one off where a decrease lies on a step.
// Errors: NOT_FOUND for a name that is not one; UNIMPLEMENTED for one that has no such form.
Status ExportHeuristic(std::string_view name, PolicyManifest about,
                       const std::filesystem::path& directory);

}  // namespace berth
