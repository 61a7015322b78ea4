#pragma once

#include <string_view>

#include "berth/result.h"
#include "rpc/policies_client.h"

namespace CLI {
class App;
}

namespace berth {

// The exit status when rollout.yaml cannot be written by the service: what to commit instead is on
// standard output. Everything else that fails is 1.
inline constexpr int kCommitInstead = 3;

// --service, --token-file and the TLS files. `access` outlives the parsing.
void AddPoliciesAccess(CLI::App& sub, PoliciesAccess& access);

// Tells what went wrong; returns the exit status.
int PolicyCommandFailed(std::string_view command, const Status& status);

}  // namespace berth
