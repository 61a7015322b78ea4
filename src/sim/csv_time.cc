#include "sim/csv_time.h"

#include <absl/time/time.h>
#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>
#include <string_view>

namespace berth {
namespace {

constexpr double kLastMoment = 1e10;  // in 2286
constexpr double kLongest = 1e9;      // 31 years

SimTime FromSeconds(double seconds) {
  return SimTime(static_cast<int64_t>(std::llround(seconds * 1e6)));
}

// Hours from a zone of Philly's to UTC, taken off the text.
int TakeZone(std::string_view& text) {
  const auto take = [&text](std::string_view zone) {
    if (!text.ends_with(zone)) return false;
    text.remove_suffix(zone.size());
    return true;
  };
  return take(" PDT") ? 7 : take(" PST") ? 8 : 0;
}

std::optional<SimTime> Parse(const std::string& format, std::string_view text) {
  absl::Time time;
  const absl::string_view input(text.data(), text.size());
  if (!absl::ParseTime(format, input, &time, nullptr)) return std::nullopt;
  return SimTime(absl::ToUnixMicros(time));
}

std::optional<SimTime> FromDate(std::string_view text) {
  if (const auto moment = Parse(absl::RFC3339_full, text)) return moment;
  const int to_utc = TakeZone(text);
  const auto moment = Parse("%Y-%m-%d %H:%M:%E*S", text);
  return moment ? std::optional(*moment + std::chrono::hours(to_utc)) : std::nullopt;
}

bool IsDate(std::string_view text) { return text.size() > 7 && text[4] == '-' && text[7] == '-'; }

SimTime ReadDate(CsvRecordReader& record, size_t column) {
  const std::optional<SimTime> moment = FromDate(record.Text(column));
  if (moment && *moment >= SimTime(0) && *moment <= FromSeconds(kLastMoment)) return *moment;
  record.Reject(column, "seconds, or a date such as 2017-10-09 07:01:55 from 1970 to 2286");
  return {};
}

}  // namespace

SimTime Moments::Read(CsvRecordReader& record, size_t column) {
  const bool is_date = IsDate(record.Text(column));
  if (first_ && is_date != first_->is_date) {
    record.Reject(column, fmt::format("{}, as in line {}", first_->is_date ? "a date" : "seconds",
                                      first_->line));
  }
  const SimTime moment =
      is_date ? ReadDate(record, column) : FromSeconds(record.Decimal(column, 0, kLastMoment));
  if (!first_ && record.status().ok()) first_ = {is_date, record.line(column)};
  return moment;
}

SimTime ReadDuration(CsvRecordReader& record, size_t column) {
  return FromSeconds(record.Decimal(column, 0, kLongest));
}

}  // namespace berth
