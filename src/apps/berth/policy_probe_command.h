#pragma once

#include <functional>
#include <string>

#include "apps/berth/commands.h"
#include "torch/policy_probation.h"

namespace berth {

// The two ends of a probe: the process that asks, and the one that dares.

// Probes by `program policy probe`, which is this program wherever `berth` asks, in a process with
// little memory, time and no files (base/limited_child.h).
PolicyProber ProbeWith(std::string program);

// This program, also when its file has been replaced since.
inline constexpr char kThisProgram[] = "/proc/self/exe";

// Adds the hidden subcommand `probe` to `policy`.
void AddProbe(CLI::App& policy, Command& chosen);

}  // namespace berth
