#pragma once

#include <filesystem>

#include "berth/result.h"

namespace berth {

// Directory of the program that runs.
std::filesystem::path ProgramDirectory();

// Where a file or directory lies that is named on the command line: as given; or, when that is
// relative and not there, in share/berth beside the program's bin, where an installation has it; or
// in the source tree when the program runs from its build/PRESET/bin.
// Errors: NOT_FOUND that lists where it was looked for.
Result<std::filesystem::path> FindData(const std::filesystem::path& name,
                                       const std::filesystem::path& program_directory);

}  // namespace berth
