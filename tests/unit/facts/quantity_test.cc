#include "facts/quantity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>

#include "base/rng.h"

namespace berth {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

struct Good {
  std::string text;
  int64_t milli;
  int64_t whole;
};

const Good kGood[] = {
    // Plain numbers, with zeros, signs and missing digits where Kubernetes lets them go missing.
    {"0", 0, 0},
    {"2", 2000, 2},
    {"+2", 2000, 2},
    {"-2", -2000, -2},
    {"007", 7000, 7},
    {"2.0", 2000, 2},
    {"2.", 2000, 2},
    {".5", 500, 1},
    {"-0", 0, 0},
    {"Ki", 0, 0},
    {".", 0, 0},
    // Every suffix.
    {"1n", 1, 1},
    {"1000000n", 1, 1},
    {"1000001n", 2, 1},
    {"1u", 1, 1},
    {"2500u", 3, 1},
    {"100m", 100, 1},
    {"1500m", 1500, 2},
    {"2000m", 2000, 2},
    {"0.002k", 2000, 2},
    {"1k", 1'000'000, 1000},
    {"1M", 1'000'000'000, 1'000'000},
    {"1G", 1'000'000'000'000, 1'000'000'000},
    {"1T", 1'000'000'000'000'000, 1'000'000'000'000},
    {"1P", 1'000'000'000'000'000'000, 1'000'000'000'000'000},
    {"1E", kMax, 1'000'000'000'000'000'000},
    {"1Ki", 1'024'000, 1024},
    {"1Mi", 1'048'576'000, int64_t{1} << 20},
    {"1Gi", 1'073'741'824'000, int64_t{1} << 30},
    {"1Ti", 1'099'511'627'776'000, int64_t{1} << 40},
    {"1Pi", 1'125'899'906'842'624'000, int64_t{1} << 50},
    {"1Ei", kMax, int64_t{1} << 60},
    {"1.5Gi", 1'610'612'736'000, 1'610'612'736},
    {"0.5Ki", 512'000, 512},
    {"0.0001Ki", 103, 1},
    // Exponents.
    {"2e0", 2000, 2},
    {"1e3", 1'000'000, 1000},
    {"1E3", 1'000'000, 1000},
    {"1e+3", 1'000'000, 1000},
    {"1e-3", 1, 1},
    {"15e-1", 1500, 2},
    {"12.5e2", 1'250'000, 1250},
    {"0e9223372036854775807", 0, 0},
    {"1e-9223372036854775808", 1, 1},
    // Rounding goes away from zero.
    {"0.0001", 1, 1},
    {"-1500m", -1500, -2},
    {"-0.1m", -1, -1},
    {"1.0000000000000000000000000000001", 1001, 2},
    // What int64 cannot hold saturates.
    {"9223372036854775807", kMax, kMax},
    {"9223372036854775808", kMax, kMax},
    {"9223372036854775.807", kMax, 9'223'372'036'854'776},
    {"9223372036854775.808", kMax, 9'223'372'036'854'776},
    {"-9223372036854775809", -kMax, -kMax},
    {"8Ei", kMax, kMax},
    {"1e19", kMax, kMax},
    {"1e9223372036854775807", kMax, kMax},
    {"99999999999999999999999999999999999999Ei", kMax, kMax},
};

TEST(Quantity, ReadsWhatKubernetesReads) {
  for (const Good& good : kGood) {
    const Result<int64_t> milli = ParseMilli(good.text);
    const Result<int64_t> whole = ParseWhole(good.text);
    ASSERT_TRUE(milli.ok()) << milli.status();
    ASSERT_TRUE(whole.ok()) << whole.status();
    EXPECT_EQ(*milli, good.milli) << good.text;
    EXPECT_EQ(*whole, good.whole) << good.text;
  }
}

TEST(Quantity, RefusesWhatKubernetesRefusesAndQuotesIt) {
  const std::string bad[] = {"",
                             " 2",
                             "2 ",
                             "0x2",
                             "1e",
                             "1Zi",
                             "two",
                             "1,5",
                             "1i",
                             "1ki",
                             "1mi",
                             "1Kii",
                             "1K",
                             "1e3k",
                             "1ke3",
                             "1e+",
                             "1e+-3",
                             "1e--3",
                             "1e3.5",
                             "--1",
                             "+-1",
                             "1.1.1",
                             "1+1",
                             "1e 3",
                             "∞",
                             "inf",
                             "NaN",
                             "1_000",
                             "1'000",
                             "0b1",
                             "1\n",
                             "1e9223372036854775808",
                             std::string("1\0", 2)};
  for (const std::string& text : bad) {
    for (const auto& parse : {ParseMilli, ParseWhole, ParseCount}) {
      const Result<int64_t> value = parse(text);
      ASSERT_FALSE(value.ok()) << text << " was read as " << *value;
      EXPECT_THAT(value.status().message(), HasSubstr("is not a quantity")) << text;
    }
  }
  EXPECT_EQ(ParseWhole("1Zi").status().message(),
            "\"1Zi\" is not a quantity such as 2, 1500m, 0.5, 16Gi or 1e3");
}

TEST(Quantity, CountsAreWholeAndNotNegative) {
  for (const std::string text : {"2", "2000m", "2e0", "0.002k", "+2", "2.0", "2000000u"}) {
    EXPECT_EQ(ParseCount(text).value_or(-1), 2) << text;
  }
  EXPECT_EQ(ParseCount("0").value_or(-1), 0);
  EXPECT_EQ(ParseCount("-0").value_or(-1), 0);
  EXPECT_EQ(ParseCount("1Ei").value_or(-1), int64_t{1} << 60);
  EXPECT_EQ(ParseCount("1e30").value_or(-1), kMax);
  for (const std::string text : {"1500m", "0.5", "50m", "-1", "-0.5", "1n", "99.1", "1e-9"}) {
    EXPECT_EQ(ParseCount(text).status().message(),
              "\"" + text + "\" is not a whole number of at least 0");
  }
}

TEST(Quantity, AgreesWithIntegerArithmeticOnRandomNumbers) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  Rng rng(seed);
  std::uniform_int_distribution<int64_t> any(0, 1'000'000'000);
  const std::string suffixes[] = {"Ki", "Mi"};
  for (int i = 0; i < 2000; ++i) {
    const int64_t whole = any(rng), millionths = any(rng) % 1'000'000;
    const int power = i % 2;
    std::string fraction = std::to_string(millionths);
    fraction.insert(0, 6 - fraction.size(), '0');
    const std::string text = std::to_string(whole) + "." + fraction + suffixes[power];
    const int64_t unit = power == 0 ? 1024 : 1'048'576;
    const int64_t want = whole * unit + (millionths * unit + 999'999) / 1'000'000;
    EXPECT_EQ(ParseWhole(text).value_or(-1), want) << text;
  }
}

TEST(Quantity, ReadsMegabytesOfDigitsExactly) {
  const std::string zeros(1'000'000, '0');
  EXPECT_EQ(ParseWhole("0." + zeros + "1e1000002").value_or(-1), 10);
  EXPECT_EQ(ParseWhole("5" + zeros + "e-1000000").value_or(-1), 5);
}

}  // namespace
}  // namespace berth
