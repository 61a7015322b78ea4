#pragma once

#include <span>
#include <string>

#include "demo/run.h"

namespace berth {

// The runs side by side, for people.
std::string Report(std::span<const RunResult> results, size_t pods);

}  // namespace berth
