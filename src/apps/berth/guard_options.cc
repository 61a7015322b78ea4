#include "apps/berth/guard_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>

#include "base/log.h"
#include "facts/quantity.h"

namespace berth {
namespace {

constexpr char kOff[] = "off";

// Lets the option set what `parse` makes of its text.
void AddParsed(CLI::App& command, const std::string& name, const std::string& help,
               Result<std::optional<double>> (*parse)(const std::string&), const std::string& form,
               std::optional<double>& value) {
  command
      .add_option_function<std::string>(
          name,
          [parse, name, &value](const std::string& text) {
            const Result<std::optional<double>> parsed = parse(text);
            if (!parsed.ok()) {
              throw CLI::ValidationError(name, std::string(parsed.status().message()));
            }
            value = *parsed;
          },
          help)
      ->option_text(form);
}

void AddBudget(CLI::App& command, std::chrono::milliseconds& budget) {
  command
      .add_option_function<int64_t>(
          "--budget", [&budget](int64_t ms) { budget = std::chrono::milliseconds(ms); },
          "Time for --policy to answer, such as 20ms")
      ->option_text("TIME=20ms")
      ->transform(CLI::AsNumberWithUnit(std::map<std::string, int64_t>{{"ms", 1}, {"s", 1000}},
                                        CLI::AsNumberWithUnit::UNIT_REQUIRED, "TIME"))
      ->check(CLI::Range(1, 60'000));
}

}  // namespace

Result<std::optional<double>> ParseRegretCap(const std::string& text) {
  if (text == kOff) return std::nullopt;
  const Result<int64_t> cap = ParseMilli(text);
  if (cap.ok() && *cap >= 0) return static_cast<double>(*cap);
  return absl::InvalidArgumentError(
      fmt::format("{} must be an amount of GPU, such as 1000m, or off", Quoted(text)));
}

Result<std::optional<double>> ParseRangeLimit(const std::string& text) {
  if (text == kOff) return std::nullopt;
  const bool percent = text.ends_with('%');
  const Result<int64_t> share = ParseCount(percent ? text.substr(0, text.size() - 1) : "");
  if (share.ok() && *share >= 1 && *share <= 99) return static_cast<double>(*share) / 100;
  return absl::InvalidArgumentError(
      fmt::format("{} must be from 1% to 99%, such as 20%, or off", Quoted(text)));
}

void AddGuardOptions(CLI::App& command, GuardOptions& options) {
  command
      .add_option("--fallback", options.heuristic,
                  "Built-in policy that answers when a guard steps in for --policy")
      ->type_name("NAME")
      ->capture_default_str();
  AddBudget(command, options.budget);
  AddParsed(command, "--guard-regret",
            "How much more GPU the choice of --policy may leave fragmented than that of --fallback",
            ParseRegretCap, "CAP=1000m|off", options.regret_cap);
  AddParsed(command, "--guard-ranges",
            "In how many of its last 200 decisions --policy may see what training did not, before "
            "--fallback takes over",
            ParseRangeLimit, "SHARE=20%|off", options.range_limit);
}

}  // namespace berth
