#pragma once

#include <filesystem>
#include <string_view>

#include "berth/result.h"

namespace berth {

// Writes the bytes at the end of the file, which is created where there is none, and waits until
// they are on disk. Errors: UNAVAILABLE that names the file and the reason, such as a full disk;
// the file is then what it was before.
Status AppendDurably(const std::filesystem::path& file, std::string_view bytes);

}  // namespace berth
