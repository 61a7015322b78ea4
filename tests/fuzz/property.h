#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/check.h"

namespace berth {

inline bool IsUtf8(const std::string& text) {
  try {
    return !nlohmann::json(text).dump().empty();
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

}  // namespace berth
