#pragma once

#include <string>

#include "berth/pod.h"

namespace berth {

// A pod of a trace.
struct TracePod {
  std::string name;
  Demand demand;

  bool operator==(const TracePod&) const = default;
};

}  // namespace berth
