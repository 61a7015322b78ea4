#pragma once

#include <string>
#include <string_view>

#include "berth/policy.h"

namespace berth {

// Why another answered for `policy`, for people to read after "because": "berth was late".
// Empty for kNone.
std::string GuardText(Guard guard, std::string_view policy);

}  // namespace berth
