#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "berth/result.h"

namespace CLI {
class App;
}

namespace berth {

// What keeps watch over a policy from a file, and who answers in its place. That every score must
// be a number is not among the options: there is no other way to rank.
struct GuardOptions {
  std::string heuristic = "fgd-bestfit";     // a built-in policy
  std::chrono::milliseconds budget{20};      // to answer (policy/deadline.h)
  std::optional<double> regret_cap = 1000;   // milli-GPU (policy/regret_guard.h); none: off
  std::optional<double> range_limit = 0.20;  // of decisions (policy/range_guard.h); none: off
};

// "1000m", "1" (a whole GPU) or "off". Errors: INVALID_ARGUMENT that says what would be right.
Result<std::optional<double>> ParseRegretCap(const std::string& text);

// "20%" or "off". Errors: as above.
Result<std::optional<double>> ParseRangeLimit(const std::string& text);

// `options` outlives the command line.
void AddGuardOptions(CLI::App& command, GuardOptions& options);

}  // namespace berth
