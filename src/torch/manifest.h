#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/result.h"

namespace berth {

// What stands beside a policy.pt, in manifest.json. Every key but `training` and `profile` is
// required, and no other key is allowed.
struct PolicyManifest {
  static constexpr int kFormat = 1;  // key "format"; a reader refuses any other

  std::string name;                          // [a-z0-9-], 1 to 63 characters
  std::vector<std::string> columns;          // of the rows, in order (berth/features.h)
  std::vector<std::string> context_columns;  // of the context, in order; may be empty
  std::string schema_hash;                   // FeatureSchema::Hash of the two lists
  std::string sha256;                        // of policy.pt
  std::string created_by;                    // program and version
  std::string training;  // JSON: a text or an object about data, seeds and results; empty: absent
  std::optional<std::string> profile;  // version of the WorkloadProfile that it was made for

  bool operator==(const PolicyManifest&) const = default;
};

// Errors: INVALID_ARGUMENT that names the key and what would be right.
Result<PolicyManifest> ParseManifest(std::string_view json);

// Ends with a newline; ParseManifest gives the manifest back.
std::string WriteManifest(const PolicyManifest& manifest);

}  // namespace berth
