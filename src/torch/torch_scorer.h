#pragma once

#include <filesystem>

#include "base/log.h"
#include "berth/policy.h"

namespace berth {

// Loads the TorchScript policy in `directory` (policy.pt and manifest.json), checks it against its
// manifest (torch/manifest.h: SHA-256, named columns and their schema hash) and against the
// contract of berth/policy.h, and warms it up. The scorer evaluates equal candidates once and all
// others in one forward (policy/row_scorer.h); every libtorch exception ends here as INTERNAL.
//
// Loading runs code that policy.pt brings along: the SHA-256 says that the file is the one that
// the manifest was written for, not that its author is trusted.
//
// Blocks for tens of milliseconds. Errors name the file and field, and what would be right.
Result<ScorerPtr> LoadTorchPolicy(const std::filesystem::path& directory, Logger& log);

}  // namespace berth
