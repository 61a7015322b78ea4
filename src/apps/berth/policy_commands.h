#pragma once

#include "apps/berth/commands.h"

namespace berth {

// Subcommands of `berth policy` that have a file of their own, as in commands.h.
void AddPolicyPack(CLI::App& policy, Command& chosen);
void AddPolicyInspect(CLI::App& policy, Command& chosen);
void AddPolicyDiff(CLI::App& policy, Command& chosen);
void AddPolicyList(CLI::App& policy, Command& chosen);
void AddPolicyWatch(CLI::App& policy, Command& chosen);
void AddPolicyRollout(CLI::App& policy,
                      Command& chosen);  // load, shadow, canary, promote, rollback

}  // namespace berth
