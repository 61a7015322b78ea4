#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "berth/result.h"
#include "rollout/policy_tally.h"
#include "rollout/rollout_control.h"

namespace berth {

// A policy that may serve.
struct CheckedPolicy {
  std::string name;
  std::string version, sha256;           // empty: built in
  std::chrono::microseconds forward{0};  // for many nodes (torch/policy_probe.h)
};

// What the rollout of a directory of policies is looked at and changed with. The functions are safe
// to call from many threads at once.
struct PolicyAdmin {
  std::filesystem::path folder;
  RolloutControl& control;
  // Whether the policy of that name, in the folder or built in, may serve. Blocks while it is
  // probed. Errors say why not. REQUIRES: IsPlanName.
  std::function<Result<CheckedPolicy>(const std::string& name)> check;
  std::function<std::vector<PolicyTally>()> tallies;
  // Why what rollout.yaml asks for is not in charge; empty: it is.
  std::function<std::string()> refused;
  std::chrono::milliseconds look_every{1000};  // for those who watch
};

}  // namespace berth
