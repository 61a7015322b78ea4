#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/rng.h"

namespace berth {

struct DemoOptions {
  size_t nodes = 1213;
  size_t pods = 0;  // 0: until their demand for GPU reaches what there is
  Rng::result_type seed = 1;
  std::vector<std::string> policies;  // "" is the default of `berth serve`
  std::string decision_log;           // of `berth serve`; empty: none
  bool hold = false;                  // keep everything up after the first policy's run
};

// Reads the command line; --help and mistakes are answered here and end the process.
DemoOptions ParseDemoOptions(int argc, char** argv, size_t most_nodes);

}  // namespace berth
