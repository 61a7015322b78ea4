#pragma once

#include <filesystem>
#include <string>

#include "berth/result.h"
#include "torch/manifest.h"

namespace berth {

// Writes policy.pt and manifest.json into `directory`, which it creates where needed, and fills in
// the manifest's schema hash and SHA-256. What is there stays until all of the new is on disk, so a
// full disk or a crash loses nothing: a reader that comes between the two renames sees a SHA-256
// that does not match, and refuses.
// Errors: UNAVAILABLE that names the file; INVALID_ARGUMENT for columns that do not exist.
Status WritePolicy(const std::filesystem::path& directory, const std::string& module_bytes,
                   PolicyManifest manifest);

}  // namespace berth
