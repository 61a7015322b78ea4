#pragma once

#include <cstdint>
#include <string_view>

#include "berth/result.h"

namespace berth {

// What a TorchScript file may be at most. Policies are kilobytes.
inline constexpr uint64_t kMaxArchiveBytes = uint64_t{64} << 20;

// Checks the zip directory of a TorchScript file before libtorch sees it, so that opening it takes
// no more memory than its size promises: entries lie within the file, only code is compressed
// (libtorch's own writer does so), and all of it unpacked is at most kMaxArchiveBytes.
// Errors: INVALID_ARGUMENT that says which entry is wrong and how.
Status CheckArchive(std::string_view bytes);

}  // namespace berth
