#pragma once

#include <string_view>

#include "base/metrics.h"

namespace berth {

// What this program was built from, as of the last time CMake configured the build.
std::string_view Version();  // of the project, such as "0.1.0"
std::string_view Commit();   // of the sources, abbreviated; "unknown" outside of git

// berth_build_info{version,commit} 1
void AddBuildInfo(Metrics& metrics);

}  // namespace berth
