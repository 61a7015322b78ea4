#include "apps/berth/simulate_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth {
namespace {

using ::testing::HasSubstr;

TEST(ParseCluster, TakesShapesAsPeopleWriteThem) {
  const auto nodes = ParseCluster("2x8,1x4");
  ASSERT_TRUE(nodes.ok()) << nodes.status();
  ASSERT_EQ(nodes->size(), 3u);
  EXPECT_EQ(nodes->at(0).gpus, 8);
  EXPECT_EQ(nodes->at(2).gpus, 4);
  EXPECT_NE(nodes->at(1).name, nodes->at(2).name);
}

TEST(ParseCluster, SaysWhatWouldBeRight) {
  for (const char* text : {"", "8", "x", "2x", "x8", "0x8", "2x0", "-1x8", "2x8x4", "2x257",
                           "100001x8", "2x8,", "two x eight", "2*8"}) {
    const Status status = ParseCluster(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(status.message()), HasSubstr("it should be such as 64x8")) << text;
  }
}

TEST(ReadReplay, AsksForOneListOfJobsAndOneOfNodes) {
  const std::pair<SimulateInput, const char*> table[] = {
      {{.cluster = "1x8"}, "say what to replay"},
      {{.cluster = "1x8", .jobs = "a", .philly = "b"}, "say what to replay"},
      {{.jobs = "a"}, "say on which nodes"},
      {{.nodes = "n", .cluster = "1x8", .jobs = "a"}, "say on which nodes"},
  };
  for (const auto& [input, message] : table) {
    EXPECT_THAT(std::string(ReadReplay(input).status().message()), HasSubstr(message));
  }
}

}  // namespace
}  // namespace berth
