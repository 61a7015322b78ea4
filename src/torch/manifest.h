#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/result.h"
#include "policy/feature_ranges.h"

namespace berth {

// What stands beside a policy.pt, in manifest.json. policies/manifest.schema.json describes it for
// other programs. `training`, `feature_ranges`, `results` and `profile` may be left out, every
// other key is required, and no other is allowed.
struct PolicyManifest {
  static constexpr int kFormat = 2;  // key "format"; a reader refuses any other

  std::string name;     // [a-z0-9-], 1 to 63 characters
  std::string version;  // [A-Za-z0-9._-], 1 to 63 characters; tells files of one name apart
  std::vector<std::string> columns;          // of the rows, in order (berth/features.h)
  std::vector<std::string> context_columns;  // of the context, in order; may be empty
  std::string schema_hash;                   // FeatureSchema::Hash of the two lists
  std::string sha256;                        // of policy.pt
  std::string libtorch;                      // version of the library that wrote or packed the file
  std::string created;                       // UTC, as 2026-11-30T12:00:00Z
  std::string created_by;                    // program, version and commit
  // JSON: a text; or an object with at least "data_sha256" (an object of texts, by file), "seed" (a
  // number), "commit" (a text) and "hyperparameters". Empty: absent.
  std::string training;
  // What the columns of either list held in training, by their names. A column that is not named
  // may hold anything.
  FeatureRanges feature_ranges;
  std::string results;  // JSON: an object with at least "suite", a text; empty: absent
  std::optional<std::string> profile;  // version of the WorkloadProfile that it was made for

  bool operator==(const PolicyManifest&) const = default;
};

// Errors: INVALID_ARGUMENT that names the key and what would be right.
Result<PolicyManifest> ParseManifest(std::string_view json);

// Ends with a newline; ParseManifest gives the manifest back.
std::string WriteManifest(const PolicyManifest& manifest);

}  // namespace berth
