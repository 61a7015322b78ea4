#include "apps/berth/seed_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(ParseSeeds, ReadsNumbersAndRanges) {
  EXPECT_THAT(ParseSeeds("42").value(), ElementsAre(42));
  EXPECT_THAT(ParseSeeds("9001-9003").value(), ElementsAre(9001, 9002, 9003));
  EXPECT_THAT(ParseSeeds("7,1-2,2-3").value(), ElementsAre(1, 2, 3, 7));
  EXPECT_THAT(ParseSeeds("0-9999").value(), SizeIs(10'000));
}

TEST(ParseSeeds, SaysWhatWouldBeRight) {
  for (const char* wrong : {"", "x", "1,", "1-", "-1", "3-1", "1-2-3", "0-10000", "1..3",
                            "0-9999,10000", "99999999999"}) {
    const Status status = ParseSeeds(wrong).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << wrong;
    EXPECT_THAT(std::string(status.message()), HasSubstr("should be seeds such as 42, 9001-9005"));
  }
}

}  // namespace
}  // namespace berth
