#include "sim/philly_list.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temp_directory.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

using std::chrono::seconds;

constexpr char kHeader[] = "timestamp,duration,num_gpus,gpu_time,cluster\n";

// Nodes of two and of eight GPUs.
std::vector<NodeSpec> TwoNodes() {
  return {{.name = NodeName("two"), .gpus = 2, .accounting = GpuAccounting::kManaged},
          {.name = NodeName("eight"), .gpus = 8, .accounting = GpuAccounting::kManaged}};
}

Result<std::vector<TraceJob>> Jobs(const std::string& text,
                                   std::vector<Status>* skipped = nullptr) {
  return ParsePhillyList(text, "philly.csv", TwoNodes(), skipped);
}

TEST(PhillyList, IsReadInItsOrder) {
  const auto jobs = Jobs(std::string(kHeader) +
                         "2017-10-09 07:01:55,66.0,1,66.0,11cb48\n"
                         "2017-10-09 06:13:03,2951.5,8,23612.0,6214e9\n");
  ASSERT_TRUE(jobs.ok()) << jobs.status();
  const TraceJob one{
      .pod = {"line-2", {.gpus = 1, .per_gpu = kWholeGpu, .accounting = GpuAccounting::kManaged}},
      .submitted = seconds(1'507'532'515),
      .runs = seconds(66),
      .queue = "11cb48"};
  ASSERT_THAT(*jobs, SizeIs(2));
  EXPECT_EQ(jobs->at(0), one);
  EXPECT_EQ(jobs->at(1).pod.name, "line-3");
  EXPECT_EQ(jobs->at(1).pod.demand.gpus, 8);
  EXPECT_EQ(jobs->at(1).runs, std::chrono::milliseconds(2'951'500));
}

// Eight GPUs are what the largest node has.
TEST(PhillyList, MakesAGangOfAJobThatIsLargerThanANode) {
  const std::tuple<int, uint32_t, int> table[] = {{8, 1, 8},  {12, 2, 6},   {16, 2, 8},
                                                  {24, 3, 8}, {128, 16, 8}, {11, 11, 1}};
  for (const auto& [gpus, pods, gpus_each] : table) {
    const auto jobs = Jobs(kHeader + fmt::format("2017-10-09 07:01:55,66,{},66,11cb48\n", gpus));
    ASSERT_TRUE(jobs.ok()) << jobs.status();
    EXPECT_EQ(jobs->at(0).pods, pods) << gpus;
    EXPECT_EQ(jobs->at(0).pod.demand.gpus, gpus_each) << gpus;
  }
}

TEST(PhillyList, IsReadAsPeopleSaveIt) {
  const std::string row = "2017-10-09 07:01:55,66,1,66,11cb48";
  const std::pair<const char*, std::string> table[] = {
      {"a byte order mark", "\xEF\xBB\xBF" + (kHeader + row)},
      {"CRLF", "timestamp,duration,num_gpus,gpu_time,cluster\r\n" + row + "\r\n"},
      {"blank lines, as the trace itself ends", kHeader + row + "\n\n"},
      {"quotes", std::string(kHeader) + "\"2017-10-09 07:01:55\",\"66\",\"1\",\"66\",\"11cb48\"\n"},
      {"no GPU time", "timestamp,duration,num_gpus,cluster\n2017-10-09 07:01:55,66,1,11cb48\n"},
      {"another order", "cluster,num_gpus,duration,timestamp\n11cb48,1,66,2017-10-09 07:01:55\n"},
      {"the zone of the raw trace", std::string(kHeader) + "2017-10-09 00:01:55 PDT,66,1,,11cb48"},
  };
  for (const auto& [how, text] : table) {
    const auto jobs = Jobs(text);
    ASSERT_TRUE(jobs.ok()) << how << ": " << jobs.status();
    ASSERT_THAT(*jobs, SizeIs(1)) << how;
    EXPECT_EQ(jobs->at(0).submitted, seconds(1'507'532'515)) << how;
    EXPECT_EQ(jobs->at(0).runs, seconds(66)) << how;
    EXPECT_EQ(jobs->at(0).queue, "11cb48") << how;
  }
}

TEST(PhillyList, NamesWhatIsWrongWithARow) {
  const std::pair<const char*, const char*> table[] = {
      {"2017-10-09 07:01:55,66", "philly.csv:2:21: the line has 2 values, the header 5; is the"},
      {",66,1,66,11cb48", "philly.csv:2:1: timestamp is empty; it should be a number from 0"},
      {"2017-10-09 25:01:55,66,1,66,11cb48",
       "philly.csv:2:1: timestamp is \"2017-10-09 25:01:55\"; it should be seconds, or a date"},
      {"2017-10-09 07:01:55,,1,66,11cb48", "philly.csv:2:21: duration is empty; it should be"},
      {"2017-10-09 07:01:55,-66,1,66,11cb48", "philly.csv:2:21: duration is \"-66\""},
      {"2017-10-09 07:01:55,NA,1,66,11cb48", "philly.csv:2:21: duration is \"NA\""},
      {"2017-10-09 07:01:55,66,0,66,11cb48",
       "philly.csv:2:24: num_gpus is \"0\"; it should be a whole number from 1 to 10000"},
      {"2017-10-09 07:01:55,66,,66,11cb48", "philly.csv:2:24: num_gpus is empty"},
      {"2017-10-09 07:01:55,66,1.5,66,11cb48", "philly.csv:2:24: num_gpus is \"1.5\""},
      {"2017-10-09 07:01:55,66,1,66,", "philly.csv:2:29: cluster is empty; it should be there"},
  };
  for (const auto& [row, message] : table) {
    const Status status = Jobs(kHeader + std::string(row) + "\n").status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << row;
    EXPECT_THAT(std::string(status.message()), StartsWith(message)) << row;
  }
}

TEST(PhillyList, NamesWhatIsWrongWithTheFileEvenWhereBadRowsAreLeftOut) {
  const std::pair<const char*, const char*> table[] = {
      {"", "philly.csv:1:1: the file is empty"},
      {"2017-10-09 07:01:55,66,1,60,11cb48\n", "philly.csv:1:1: there is no column \"timestamp\""},
      {"timestamp,duration,num_gpus,gpu_time,cluster\n\"2017",
       "philly.csv:2:1: the quote that opens here is never closed; is the file cut off?"},
  };
  std::vector<Status> skipped;
  for (const auto& [text, message] : table) {
    EXPECT_THAT(std::string(Jobs(text, &skipped).status().message()), StartsWith(message)) << text;
  }
  EXPECT_THAT(skipped, IsEmpty());
}

TEST(PhillyList, LeavesOutBadRowsWhereThatIsAskedFor) {
  std::vector<Status> skipped;
  const auto jobs = Jobs(std::string(kHeader) +
                             "2017-10-09 07:01:55,66,1,66,a\n2017-10-09 07:01:55,,1,66,b\n"
                             "2017-10-09 07:01:55,66,1,66,c\n2017-10-0",
                         &skipped);
  ASSERT_TRUE(jobs.ok()) << jobs.status();
  ASSERT_THAT(*jobs, SizeIs(2));
  EXPECT_EQ(jobs->at(1).queue, "c");
  ASSERT_THAT(skipped, SizeIs(2));
  EXPECT_THAT(std::string(skipped[0].message()), StartsWith("philly.csv:3:21: duration is empty"));
  EXPECT_THAT(std::string(skipped[1].message()), StartsWith("philly.csv:5:1: the line has 1"));
}

TEST(PhillyList, IsReadFromAFile) {
  const TempDirectory directory;
  const std::string file =
      directory.Write("philly.csv", std::string(kHeader) + "2017-10-09 07:01:55,66,1,66,11cb48\n");
  EXPECT_THAT(ReadPhillyList(file, TwoNodes()).value(), SizeIs(1));
}

}  // namespace
}  // namespace berth
