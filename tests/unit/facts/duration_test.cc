#include "facts/duration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace berth {
namespace {

TEST(Duration, ReadsGoDurationsAndPlainSeconds) {
  struct Case {
    std::string text;
    int64_t seconds;
  };
  const Case cases[] = {
      {"90m", 5400},        {"1h30m", 5400}, {"1.5h", 5400},  {"1h29m60s", 5400}, {"5400", 5400},
      {"5400s", 5400},      {"45s", 45},     {".5h", 1800},   {"1.1h", 3960},     {"1500ms", 2},
      {"1ns", 1},           {"0.4", 1},      {"250000us", 1}, {"3000000µs", 3},   {"3000000μs", 3},
      {"2000h", 7'200'000}, {"1m1m", 120},
  };
  for (const Case& c : cases) {
    const Result<Seconds> seconds = ParseDuration(c.text);
    ASSERT_TRUE(seconds.ok()) << seconds.status();
    EXPECT_EQ(seconds->value(), c.seconds) << c.text;
  }
}

TEST(Duration, RefusesEverythingElseAndQuotesIt) {
  for (const std::string text : {"",      " ",          "0",     "0s",    "-5m",
                                 "+5m",   "1d",         "90M",   "90 m",  "90m ",
                                 "h",     "m90",        "1h30",  "1..5h", "1.2.3s",
                                 ".",     ".s",         "1e3",   "1e3s",  "inf",
                                 "nan",   "soon",       "1h-5m", "0x10s", "99999999999999999999",
                                 "1e400", "9999999999h"}) {
    const Result<Seconds> seconds = ParseDuration(text);
    ASSERT_FALSE(seconds.ok()) << text << " was read as " << seconds->value();
    EXPECT_EQ(seconds.status().message(),
              "\"" + text + "\" is not a duration such as 90m, 1h30m, 45s or 5400 (seconds)");
  }
}

TEST(Duration, RefusesAnEndlessNumber) {
  EXPECT_FALSE(ParseDuration(std::string(1'000'000, '9') + "s").ok());
}

}  // namespace
}  // namespace berth
