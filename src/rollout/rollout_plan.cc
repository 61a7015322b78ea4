#include "rollout/rollout_plan.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/log.h"

namespace berth {
namespace {

Status At(const YAML::Node& node, std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("line {}: {}", node.Mark().line + 1, what));
}

// Reads what stands behind one key, of which `name` is the path, into a plan.
using ReadValue = std::function<Status(const YAML::Node& value, const std::string& name)>;
using Readers = std::map<std::string, ReadValue>;

Status ReadMap(const YAML::Node& map, const std::string& prefix, const Readers& readers) {
  std::set<std::string> seen;
  for (const auto& entry : map) {
    const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : "";
    const auto reader = readers.find(key);
    if (reader == readers.end()) {
      std::string keys;
      for (const auto& [known, read] : readers) keys += (keys.empty() ? "" : ", ") + known;
      return At(entry.first, fmt::format("{} is not a key{}; there is {}", Quoted(prefix + key),
                                         prefix.empty() ? " of a rollout" : "", keys));
    }
    if (!seen.insert(key).second) return At(entry.first, prefix + key + ": is there twice");
    if (Status read = reader->second(entry.second, prefix + key); !read.ok()) return read;
  }
  return {};
}

ReadValue Policy(std::string& into) {
  return [&into](const YAML::Node& value, const std::string& name) -> Status {
    if (!value.IsScalar() || !IsPlanName(value.Scalar())) {
      return At(value,
                fmt::format("{}: must name a directory beside {} or a built-in policy: letters, "
                            "digits, '-', '_' and '.', at most 63",
                            name, kRolloutFile));
    }
    into = value.Scalar();
    return {};
  };
}

ReadValue Names(std::vector<std::string>& into) {
  return [&into](const YAML::Node& value, const std::string& name) -> Status {
    const Status wrong =
        At(value, fmt::format("{}: must be a list of names, such as [research, batch]", name));
    if (!value.IsSequence() || value.size() == 0) return wrong;
    for (const YAML::Node& element : value) {
      if (!element.IsScalar() || !IsPlanName(element.Scalar())) return wrong;
      into.push_back(element.Scalar());
    }
    return {};
  };
}

ReadValue WholeNumber(int64_t least, int64_t most, std::function<void(int64_t)> take) {
  return [=](const YAML::Node& value, const std::string& name) -> Status {
    int64_t number = 0;
    if (!value.IsScalar() || !YAML::convert<int64_t>::decode(value, number) || number < least ||
        number > most) {
      return At(value, fmt::format("{}: must be a whole number from {} to {}", name, least, most));
    }
    take(number);
    return {};
  };
}

// A number with a unit, such as 0.5%; not so small that nothing is left of it when it is written.
ReadValue Measure(std::string unit, std::string example, std::function<void(double)> take) {
  return [=](const YAML::Node& value, const std::string& name) -> Status {
    const std::string text = value.IsScalar() ? value.Scalar() : "";
    double number = 0;
    if (!text.ends_with(unit) ||
        !YAML::convert<double>::decode(YAML::Node(text.substr(0, text.size() - unit.size())),
                                       number) ||
        !(number >= 0.001 && number <= 1e6)) {
      return At(value, fmt::format("{}: must be a number from 0.001 on with its unit, such as {}",
                                   name, example));
    }
    take(number);
    return {};
  };
}

ReadValue Boolean(bool& into) {
  return [&into](const YAML::Node& value, const std::string& name) -> Status {
    if (value.IsScalar() && YAML::convert<bool>::decode(value, into)) return {};
    return At(value, name + ": must be true or false");
  };
}

Status ReadCanary(const YAML::Node& value, const std::string& name, CanaryPlan& canary) {
  const Readers readers = {
      {"policy", Policy(canary.policy)},
      {"percent",
       WholeNumber(1, 100,
                   [&](int64_t percent) { canary.rule.percent = static_cast<int>(percent); })},
      {"namespaces", Names(canary.rule.namespaces)},
      {"pools", Names(canary.rule.pools)}};
  if (!value.IsMap()) return At(value, name + ": must have lines such as `policy: berth`");
  if (Status read = ReadMap(value, name + ".", readers); !read.ok()) return read;
  if (canary.policy.empty()) return At(value, name + ".policy: is missing");
  if (canary.rule == CanaryRule()) {
    return At(value, name + ": must say for whom: percent, namespaces or pools");
  }
  return {};
}

Status ReadPromotion(const YAML::Node& value, const std::string& name, PromotionPlan& promote) {
  const Readers readers = {
      {"decisions", WholeNumber(1, 1'000'000'000, [&](int64_t n) { promote.decisions = n; })},
      {"max_regret", Measure("%", "0.5%", [&](double n) { promote.max_regret = n / 100; })},
      {"max_p99", Measure("ms", "2ms", [&](double n) {
         promote.max_p99 = std::chrono::microseconds(std::llround(n * 1000));
       })}};
  if (!value.IsMap()) return At(value, name + ": must have lines such as `decisions: 1000`");
  if (Status read = ReadMap(value, name + ".", readers); !read.ok()) return read;
  return promote.decisions > 0 ? Status() : At(value, name + ".decisions: is missing");
}

Result<RolloutPlan> ReadPlan(const YAML::Node& root) {
  if (!root.IsMap()) return absl::InvalidArgumentError("must have a line such as `active: berth`");
  RolloutPlan plan;
  const Readers readers = {{"active", Policy(plan.active)},
                           {"previous", Policy(plan.previous)},
                           {"shadow", Policy(plan.shadow)},
                           {"canary",
                            [&](const YAML::Node& value, const std::string& name) {
                              return ReadCanary(value, name, plan.canary.emplace());
                            }},
                           {"promote",
                            [&](const YAML::Node& value, const std::string& name) {
                              return ReadPromotion(value, name, plan.promote.emplace());
                            }},
                           {"frozen", Boolean(plan.frozen)}};
  if (Status read = ReadMap(root, "", readers); !read.ok()) return read;
  if (plan.active.empty()) return absl::InvalidArgumentError("active: is missing");
  if (plan.promote && !plan.canary) {
    return At(root["promote"], "promote: needs a canary, which is what it promotes");
  }
  return plan;
}

std::string ListYaml(const std::vector<std::string>& names) {
  return fmt::format("[{}]", fmt::join(names, ", "));
}

}  // namespace

bool IsPlanName(std::string_view name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  return !name.empty() && name.size() <= 63 && name.front() != '.' &&
         std::ranges::all_of(name, allowed);
}

Result<RolloutPlan> ParseRolloutPlan(std::string_view yaml) {
  try {
    return ReadPlan(YAML::Load(std::string(yaml)));
  } catch (const YAML::Exception& error) {  // it reports in no other way
    return absl::InvalidArgumentError(
        fmt::format("line {}: is no YAML: {}", error.mark.line + 1, error.msg));
  }
}

Result<RolloutPlan> ParseRolloutFile(const std::filesystem::path& file, std::string_view yaml) {
  Result<RolloutPlan> plan = ParseRolloutPlan(yaml);
  if (plan.ok()) return plan;
  return Status(plan.status().code(),
                fmt::format("{}: {}", file.string(), std::string(plan.status().message())));
}

std::string RolloutYaml(const RolloutPlan& plan) {
  std::string yaml = fmt::format("active: {}\n", plan.active);
  if (!plan.previous.empty()) yaml += fmt::format("previous: {}\n", plan.previous);
  if (!plan.shadow.empty()) yaml += fmt::format("shadow: {}\n", plan.shadow);
  if (plan.canary) {
    const CanaryRule& rule = plan.canary->rule;
    yaml += fmt::format("canary:\n  policy: {}\n", plan.canary->policy);
    if (rule.percent > 0) yaml += fmt::format("  percent: {}\n", rule.percent);
    if (!rule.namespaces.empty())
      yaml += fmt::format("  namespaces: {}\n", ListYaml(rule.namespaces));
    if (!rule.pools.empty()) yaml += fmt::format("  pools: {}\n", ListYaml(rule.pools));
  }
  if (plan.promote) {
    yaml += fmt::format("promote:\n  decisions: {}\n", plan.promote->decisions);
    if (plan.promote->max_regret) {
      yaml += fmt::format("  max_regret: {:.6g}%\n", *plan.promote->max_regret * 100);
    }
    if (plan.promote->max_p99) {
      yaml += fmt::format("  max_p99: {:.6g}ms\n",
                          static_cast<double>(plan.promote->max_p99->count()) / 1000);
    }
  }
  if (plan.frozen) yaml += "frozen: true\n";
  return yaml;
}

}  // namespace berth
