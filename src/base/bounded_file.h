#pragma once

#include <cstddef>
#include <filesystem>
#include <istream>
#include <string>

#include "berth/result.h"

namespace berth {

// Everything in a file or stream that others wrote, where it is no longer than anyone would write:
// a wrong path such as /dev/zero costs no memory.
// Errors: NOT_FOUND "cannot read FILE"; INVALID_ARGUMENT "FILE is longer than N bytes".
Result<std::string> ReadBounded(const std::filesystem::path& file, size_t max_bytes);

// The same of a stream that is open; `name` is for messages.
Result<std::string> ReadBounded(std::istream& in, const std::string& name, size_t max_bytes);

}  // namespace berth
