#include "apps/berth/guard_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth {
namespace {

using ::testing::HasSubstr;

TEST(GuardOptions, ReadARegretCap) {
  struct Case {
    const char* text;
    std::optional<double> want;
  };
  const Case cases[] = {
      {"1000m", 1000}, {"2", 2000}, {"0.5", 500}, {"0", 0}, {"off", std::nullopt}};
  for (const Case& c : cases) {
    const auto cap = ParseRegretCap(c.text);
    ASSERT_TRUE(cap.ok()) << cap.status();
    EXPECT_EQ(*cap, c.want) << c.text;
  }
}

TEST(GuardOptions, ReadARangeLimit) {
  struct Case {
    const char* text;
    std::optional<double> want;
  };
  const Case cases[] = {{"20%", 0.2}, {"1%", 0.01}, {"99%", 0.99}, {"off", std::nullopt}};
  for (const Case& c : cases) {
    const auto limit = ParseRangeLimit(c.text);
    ASSERT_TRUE(limit.ok()) << limit.status();
    EXPECT_EQ(*limit, c.want) << c.text;
  }
}

TEST(GuardOptions, SayWhatWouldBeRight) {
  for (const char* text : {"", "-1", "much", "OFF", "1000 m"}) {
    EXPECT_THAT(std::string(ParseRegretCap(text).status().message()),
                HasSubstr("must be an amount of GPU, such as 1000m, or off"))
        << text;
  }
  for (const char* text : {"", "%", "20", "0.2", "0%", "100%", "-5%", "2.5%", "Off"}) {
    EXPECT_THAT(std::string(ParseRangeLimit(text).status().message()),
                HasSubstr("must be from 1% to 99%, such as 20%, or off"))
        << text;
  }
}

}  // namespace
}  // namespace berth
