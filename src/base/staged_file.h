#pragma once

#include <filesystem>
#include <string_view>

#include "berth/result.h"

namespace berth {

// Replaces a file as a whole: what is there stays until everything new is on disk.

// Writes the bytes beside `file`, in FILE.new. What was there is replaced.
// Errors: UNAVAILABLE that names FILE.new and the reason; nothing is left beside `file` then.
Status StageFile(const std::filesystem::path& file, std::string_view bytes);

// Puts what was staged in the place of `file`. REQUIRES: StageFile was OK.
// Errors: UNAVAILABLE that names the file and the reason.
Status PublishFile(const std::filesystem::path& file);

// Takes away what was staged and is not to be published after all.
void DropStagedFile(const std::filesystem::path& file);

}  // namespace berth
