#include "facts/quantity.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string>

#include "base/log.h"

namespace berth {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

// An exact non-negative decimal: digits "12345" with point 2 read 12.345. The point may lie before
// or behind the digits.
struct Decimal {
  std::string digits;
  int64_t point = 0;
  bool negative = false;
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::string_view TakeDigits(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), IsDigit);
  const std::string_view digits = text.substr(0, end - text.begin());
  text.remove_prefix(digits.size());
  return digits;
}

void MultiplyBy1024(Decimal& number) {
  int carry = 0;
  for (auto digit = number.digits.rbegin(); digit != number.digits.rend(); ++digit) {
    const int product = (*digit - '0') * 1024 + carry;
    *digit = static_cast<char>('0' + product % 10);
    carry = product / 10;
  }
  for (; carry > 0; carry /= 10) {
    number.digits.insert(number.digits.begin(), static_cast<char>('0' + carry % 10));
    ++number.point;
  }
}

// What follows 'e' or 'E': a sign and at least one digit.
std::optional<int64_t> ParseExponent(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  int64_t exponent = 0;
  const auto [end, error] = std::from_chars(text.begin(), text.end(), exponent);
  if (error != std::errc() || end != text.end()) return std::nullopt;
  // Beyond this nothing changes any more, and the sums below cannot overflow.
  constexpr int64_t kFar = 1'000'000'000'000;
  return std::clamp(exponent, -kFar, kFar);
}

// Applies a suffix such as "m", "Gi" or "e3"; false when there is no such suffix.
bool ApplySuffix(std::string_view suffix, Decimal& number) {
  if (suffix.empty()) return true;
  constexpr std::string_view kBinary = "KMGTPE";
  if (suffix.size() == 2 && suffix[1] == 'i') {
    const size_t power = kBinary.find(suffix[0]);
    if (power == std::string_view::npos) return false;
    for (size_t i = 0; i <= power; ++i) MultiplyBy1024(number);
    return true;
  }
  if (suffix.size() == 1) {
    constexpr std::string_view kDecimal = "num?kMGTPE";  // '?' stands where the plain unit is
    const size_t power = kDecimal.find(suffix[0]);
    if (power == std::string_view::npos || suffix[0] == '?') return false;
    number.point += 3 * (static_cast<int64_t>(power) - 3);
    return true;
  }
  if (suffix[0] != 'e' && suffix[0] != 'E') return false;
  const std::optional<int64_t> exponent = ParseExponent(suffix.substr(1));
  if (exponent) number.point += *exponent;
  return exponent.has_value();
}

// Digits may be missing on either side of the point, and even altogether ("Ki" is 0): Kubernetes
// reads it so.
std::optional<Decimal> ParseDecimal(std::string_view text) {
  if (text.empty()) return std::nullopt;
  Decimal number;
  number.negative = text.starts_with('-');
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  number.digits = TakeDigits(text);
  number.point = static_cast<int64_t>(number.digits.size());
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    number.digits += TakeDigits(text);
  }
  if (!ApplySuffix(text, number)) return std::nullopt;
  return number;
}

struct Whole {
  int64_t value = 0;  // towards zero, saturated
  bool exact = true;
};

Whole Truncate(const Decimal& number) {
  Whole whole;
  const int64_t size = static_cast<int64_t>(number.digits.size());
  const size_t first = std::min(number.digits.find_first_not_of('0'), number.digits.size());
  if (first == number.digits.size()) return whole;  // zero, whatever the exponent
  for (int64_t i = static_cast<int64_t>(first); i < number.point && whole.value < kMax; ++i) {
    const int digit = i < size ? number.digits[i] - '0' : 0;
    whole.value = whole.value > (kMax - digit) / 10 ? kMax : whole.value * 10 + digit;
  }
  const size_t fraction = static_cast<size_t>(std::clamp<int64_t>(number.point, 0, size));
  whole.exact = number.digits.find_first_not_of('0', fraction) == std::string::npos;
  return whole;
}

// Away from zero, as Kubernetes rounds: whoever asks for something gets something.
int64_t RoundUp(const Decimal& number) {
  const Whole whole = Truncate(number);
  const int64_t value = whole.exact || whole.value == kMax ? whole.value : whole.value + 1;
  return number.negative ? -value : value;
}

Status Unreadable(std::string_view text, std::string_view want) {
  return absl::InvalidArgumentError(Quoted(text) + " is not " + std::string(want));
}

Status NotAQuantity(std::string_view text) {
  return Unreadable(text, "a quantity such as 2, 1500m, 0.5, 16Gi or 1e3");
}

}  // namespace

Result<int64_t> ParseMilli(std::string_view text) {
  std::optional<Decimal> number = ParseDecimal(text);
  if (!number) return NotAQuantity(text);
  number->point += 3;
  return RoundUp(*number);
}

Result<int64_t> ParseWhole(std::string_view text) {
  const std::optional<Decimal> number = ParseDecimal(text);
  if (!number) return NotAQuantity(text);
  return RoundUp(*number);
}

Result<int64_t> ParseCount(std::string_view text) {
  const std::optional<Decimal> number = ParseDecimal(text);
  if (!number) return NotAQuantity(text);
  const Whole whole = Truncate(*number);
  const bool negative = number->negative && (whole.value > 0 || !whole.exact);
  if (negative || !whole.exact) return Unreadable(text, "a whole number of at least 0");
  return whole.value;
}

}  // namespace berth
