#pragma once

#include <filesystem>

#include "base/log.h"
#include "berth/policy.h"

namespace berth {

// Loads the TorchScript policy in `directory` (policy.pt and manifest.json), checks it against its
// manifest (SHA-256, named columns and their schema hash, contract of berth/policy.h), and warms it
// up. The scorer evaluates equal candidates once and all others in one forward; every libtorch
// exception ends here as INTERNAL.
// Errors name the file and field, and what would be right.
Result<ScorerPtr> LoadTorchPolicy(const std::filesystem::path& directory, Logger& log);

}  // namespace berth
