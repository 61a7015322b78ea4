#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "berth/result.h"
#include "policy/canary_rule.h"

namespace berth {

// The file beside the policies that says which of them is wanted.
inline constexpr char kRolloutFile[] = "rollout.yaml";
inline constexpr size_t kMaxPlanBytes = 64 << 10;

// A policy that answers for some of the pods before it answers for all.
struct CanaryPlan {
  std::string policy;
  CanaryRule rule;

  bool operator==(const CanaryPlan&) const = default;
};

// When the canary becomes active by itself: once all of these hold.
struct PromotionPlan {
  int64_t decisions = 0;             // that it has made, at least
  std::optional<double> max_regret;  // mean over them (policy/choice_regret.h): 0.005 is 0.5%
  std::optional<std::chrono::microseconds> max_p99;  // of the time it took to answer

  bool operator==(const PromotionPlan&) const = default;
};

// What rollout.yaml says. Policies are directories beside the file, or names of built-in ones.
//
//   active: fgd-bestfit     # answers; the only key that must be there
//   previous: fgd           # was active before: where a roll back leads
//   shadow: berth           # is asked as well, and what it says is compared
//   canary:
//     policy: berth         # answers for pods that one of these names:
//     percent: 10             # so many of their owners
//     namespaces: [research]  # all pods of these
//     pools: [a100]           # pods whose candidates are all of these node pools
//   promote:                # the canary becomes active by itself after
//     decisions: 1000         # of its own, when neither exceeds
//     max_regret: 0.5%
//     max_p99: 2ms
//   frozen: true            # is changed by nobody but who edits this file
struct RolloutPlan {
  std::string active;
  std::string previous;  // empty: none
  std::string shadow;    // empty: none
  std::optional<CanaryPlan> canary;
  std::optional<PromotionPlan> promote;
  bool frozen = false;

  bool operator==(const RolloutPlan&) const = default;
};

// Whether a policy, namespace or pool may be called so: no way out of the directory, and nothing
// that a shell or a log would trip over.
bool IsPlanName(std::string_view name);

// No key that is not known is allowed: a plan that is read in part would be another plan.
// Errors: INVALID_ARGUMENT that names the line or key, and what would be right.
Result<RolloutPlan> ParseRolloutPlan(std::string_view yaml);

// The same of the text of a file, which errors name.
Result<RolloutPlan> ParseRolloutFile(const std::filesystem::path& file, std::string_view yaml);

// What ParseRolloutPlan reads as this plan, with a line for each thing that is said.
std::string RolloutYaml(const RolloutPlan& plan);

}  // namespace berth
