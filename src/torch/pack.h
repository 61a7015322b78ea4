#pragma once

#include <string>
#include <string_view>

#include "berth/result.h"
#include "torch/manifest.h"

namespace berth {

// The manifest for a module that somebody made, from what only its author knows: a JSON object with
// name, version, columns and context_columns, and where there are any training, feature_ranges,
// results and profile (torch/manifest.h). Hashes are worked out; `libtorch`, `created` and
// `created_by` are the packer's.
// Errors: INVALID_ARGUMENT that names the key, also where a key stands that is worked out.
Result<PolicyManifest> PackManifest(std::string_view about_json, std::string_view module_bytes,
                                    const PolicyManifest& packer);

}  // namespace berth
