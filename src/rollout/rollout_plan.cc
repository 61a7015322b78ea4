#include "rollout/rollout_plan.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>

#include "base/log.h"

namespace berth {
namespace {

// No way out of the directory, and nothing that a shell or a log would trip over.
bool IsPolicyDirectory(std::string_view name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  return !name.empty() && name.size() <= 63 && name.front() != '.' &&
         std::ranges::all_of(name, allowed);
}

Status At(const YAML::Node& node, std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("line {}: {}", node.Mark().line + 1, what));
}

Result<std::string> ReadPolicyName(const YAML::Node& node, std::string_view key) {
  if (node.IsScalar() && IsPolicyDirectory(node.Scalar())) return node.Scalar();
  return At(node, fmt::format("{}: must name a directory beside {} or a built-in policy: letters, "
                              "digits, '-', '_' and '.', at most 63",
                              key, kRolloutFile));
}

Result<RolloutPlan> ReadPlan(const YAML::Node& root) {
  if (!root.IsMap()) return absl::InvalidArgumentError("must have a line such as `active: berth`");
  RolloutPlan plan;
  for (const auto& entry : root) {
    const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : "";
    if (key != "active") {
      return At(entry.first,
                fmt::format("{} is not a key of a rollout; there is active", Quoted(key)));
    }
    if (!plan.active.empty()) return At(entry.first, "active: is there twice");
    Result<std::string> name = ReadPolicyName(entry.second, key);
    if (!name.ok()) return name.status();
    plan.active = *std::move(name);
  }
  if (plan.active.empty()) return absl::InvalidArgumentError("active: is missing");
  return plan;
}

}  // namespace

Result<RolloutPlan> ParseRolloutPlan(std::string_view yaml) {
  try {
    return ReadPlan(YAML::Load(std::string(yaml)));
  } catch (const YAML::Exception& error) {  // it reports in no other way
    return absl::InvalidArgumentError(
        fmt::format("line {}: is no YAML: {}", error.mark.line + 1, error.msg));
  }
}

}  // namespace berth
