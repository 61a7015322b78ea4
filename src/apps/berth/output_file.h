#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "berth/result.h"

namespace berth {

// Errors of both: UNAVAILABLE names the path.
Status WriteFile(const std::string& text, const std::string& path);

// On one line. Bytes that are no UTF-8 are replaced: jobs and traces may have any name.
Status WriteJson(const nlohmann::json& report, const std::string& path);

}  // namespace berth
