#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "berth/result.h"

namespace berth {

// Seeds as people write them: "42", "9001-9005", "42,44-46". Ascending, without repeats.
// Errors: INVALID_ARGUMENT that says what would be right; more than 10,000 are taken for a mistake.
Result<std::vector<uint64_t>> ParseSeeds(std::string_view text);

}  // namespace berth
