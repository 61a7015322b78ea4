#pragma once

#include "apps/berth/commands.h"

namespace berth {

// `berth policy replay`, as commands.h has it of subcommands.
void AddPolicyReplay(CLI::App& policy, Command& chosen);

}  // namespace berth
