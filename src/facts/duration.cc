#include "facts/duration.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>

#include "base/log.h"

namespace berth {
namespace {

struct Unit {
  std::string_view name;
  double seconds;
};

constexpr Unit kUnits[] = {{"ns", 1e-9}, {"us", 1e-6}, {"\u00b5s", 1e-6}, {"\u03bcs", 1e-6},
                           {"ms", 1e-3}, {"s", 1},     {"m", 60},         {"h", 3600}};

std::optional<double> TakeNumber(std::string_view& text) {
  const size_t length = std::min(text.find_first_not_of("0123456789."), text.size());
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + length, number);
  if (error != std::errc() || end != text.data() + length) return std::nullopt;
  text.remove_prefix(length);
  return number;
}

std::optional<double> TakeUnit(std::string_view& text) {
  const std::string_view name = text.substr(0, text.find_first_of("0123456789."));
  const auto* unit = std::find_if(std::begin(kUnits), std::end(kUnits),
                                  [&](const Unit& known) { return known.name == name; });
  if (unit == std::end(kUnits)) return std::nullopt;
  text.remove_prefix(name.size());
  return unit->seconds;
}

std::optional<double> ParseSeconds(std::string_view text) {
  std::optional<double> number = TakeNumber(text);
  if (text.empty()) return number;
  double sum = 0;
  while (number) {
    const std::optional<double> unit = TakeUnit(text);
    if (!unit) return std::nullopt;
    sum += *number * *unit;
    if (text.empty()) return sum;
    number = TakeNumber(text);
  }
  return std::nullopt;
}

}  // namespace

Result<Seconds> ParseDuration(std::string_view text) {
  constexpr double kLongest = 292.0 * 365 * 24 * 3600;
  const std::optional<double> seconds = ParseSeconds(text);
  if (!seconds || !(*seconds > 0) || *seconds > kLongest) {
    return absl::InvalidArgumentError(Quoted(text) +
                                      " is not a duration such as 90m, 1h30m, 45s or "
                                      "5400 (seconds)");
  }
  return Seconds(std::max<int64_t>(1, std::llround(*seconds)));
}

}  // namespace berth
