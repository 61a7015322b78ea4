#pragma once

#include <string>

#include "berth/result.h"
#include "sim/sim_policy.h"

namespace berth {

// The policy of that name (sim/sim_policy.h), or that lies in a directory of that name, or in one
// below policies/. One that `berth train` made runs natively, any other through TorchScript.
// Errors: NOT_FOUND that lists the names there are; those of loading a policy.
Result<SimPolicy> FindSimulatedPolicy(const std::string& name);

// For --help: the built-in names, and that a directory will do.
std::string SimulatedPolicyNames();

}  // namespace berth
