#pragma once

#include <filesystem>
#include <string>

#include "berth/features.h"
#include "berth/result.h"
#include "torch/manifest.h"

namespace berth {

// A policy as it lies in a directory, checked as far as that goes without libtorch.
struct PolicyFile {
  PolicyManifest manifest;
  FeatureSchema schema;      // of the manifest's columns
  std::string module_bytes;  // of policy.pt; their SHA-256 is the manifest's
};

// Reads manifest.json and policy.pt, and checks them against each other (torch/manifest.h), the
// columns there are, and the archive rules (torch/archive.h). Blocks.
// Errors name the file and field, and what would be right.
Result<PolicyFile> ReadPolicyFile(const std::filesystem::path& directory);

}  // namespace berth
