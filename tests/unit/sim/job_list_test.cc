#include "sim/job_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temp_directory.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

using std::chrono::microseconds;
using std::chrono::seconds;

constexpr char kHeader[] = "job,submit,duration,gpus\n";
constexpr char kWholeHeader[] =
    "job,submit,duration,gpus,gpu_milli,cpu_milli,memory_mib,models,priority,queue,gang\n";

// What jobs are read for: nodes with T4 and G2 GPUs.
std::vector<NodeSpec> TwoNodes() {
  std::vector<NodeSpec> nodes;
  for (const char* model : {"T4", "G2"}) {
    nodes.push_back({.name = NodeName(model),
                     .gpus = 8,
                     .model = GpuModel(model),
                     .accounting = GpuAccounting::kManaged});
  }
  return nodes;
}

Result<std::vector<TraceJob>> Jobs(const std::string& text,
                                   std::vector<Status>* skipped = nullptr) {
  return ParseJobList(text, "jobs.csv", TwoNodes(), skipped);
}

TraceJob PlainJob(std::string name, SimTime submitted, SimTime runs, int gpus) {
  TraceJob job{.pod = {.name = std::move(name)}, .submitted = submitted, .runs = runs};
  if (gpus > 0) {
    job.pod.demand = {.gpus = gpus, .per_gpu = kWholeGpu, .accounting = GpuAccounting::kManaged};
  }
  return job;
}

TEST(JobList, NeedsNoMoreThanFourColumns) {
  const auto jobs = Jobs(std::string(kHeader) + "b,12.5,3600,8\na,0,0.000001,0\n");
  ASSERT_TRUE(jobs.ok()) << jobs.status();
  EXPECT_THAT(*jobs, ElementsAre(PlainJob("b", microseconds(12'500'000), seconds(3600), 8),
                                 PlainJob("a", seconds(0), microseconds(1), 0)));
}

TEST(JobList, SaysAllThatAJobIs) {
  const auto jobs = Jobs(std::string(kWholeHeader) + "a,1,2,1,500,4000,8192,T4|G2,-7,vision,3\n");
  ASSERT_TRUE(jobs.ok()) << jobs.status();
  TraceJob expected = PlainJob("a", seconds(1), seconds(2), 1);
  expected.pod.demand.per_gpu = MilliGpu(500);
  expected.pod.demand.cpu = MilliCpu(4'000);
  expected.pod.demand.memory = MiB(8'192);
  expected.pod.demand.models = AllowedModels({"T4", "G2"});
  expected.priority = -7;
  expected.queue = "vision";
  expected.pods = 3;
  EXPECT_THAT(*jobs, ElementsAre(expected));
}

// The same two jobs, however people save them.
TEST(JobList, IsReadAsPeopleSaveIt) {
  const std::string rows = "\"a, \"\"x\"\"\",1,2,1\nb,3,4,0\n";
  const std::pair<const char*, std::string> table[] = {
      {"a byte order mark", "\xEF\xBB\xBF" + (kHeader + rows)},
      {"and quotes", "\xEF\xBB\xBF\"job\",\"submit\",\"duration\",\"gpus\"\n" + rows},
      {"CRLF", "job,submit,duration,gpus\r\n\"a, \"\"x\"\"\",1,2,1\r\nb,3,4,0\r\n"},
      {"no end of the last line", "job,submit,duration,gpus\n\"a, \"\"x\"\"\",1,2,1\nb,3,4,0"},
      {"blank lines", "\n" + std::string(kHeader) + "\n" + rows + "\n\n"},
      {"another order", "gpus,duration,job,submit\n1,2,\"a, \"\"x\"\"\",1\n0,4,b,3\n"},
      {"more columns",
       "user,job,submit,duration,gpus\nu,\"a, \"\"x\"\"\",1,2,1\n\"u\nv\",b,3,4,0\n"},
      {"quoted numbers", std::string(kHeader) + "\"a, \"\"x\"\"\",\"1\",\"2\",\"1\"\nb,3,4,0\n"},
  };
  for (const auto& [how, text] : table) {
    const auto jobs = Jobs(text);
    ASSERT_TRUE(jobs.ok()) << how << ": " << jobs.status();
    EXPECT_THAT(*jobs, ElementsAre(PlainJob("a, \"x\"", seconds(1), seconds(2), 1),
                                   PlainJob("b", seconds(3), seconds(4), 0)))
        << how;
  }
}

TEST(JobList, TakesDatesForMoments) {
  constexpr seconds kMoment(1'507'532'515);  // as `date -d` has it
  const std::pair<const char*, SimTime> table[] = {
      {"2017-10-09 07:01:55", kMoment},
      {"2017-10-09 07:01:55.25", kMoment + microseconds(250'000)},
      {"2017-10-09T07:01:55Z", kMoment},
      {"2017-10-09T09:01:55+02:00", kMoment},
      {"2017-10-09 00:01:55 PDT", kMoment},
      {"2017-10-08 23:01:55 PST", kMoment},
      {"1507532515", kMoment},
      {"1.5075e9", seconds(1'507'500'000)},
      {"1970-01-01 00:00:00", seconds(0)},
  };
  for (const auto& [text, moment] : table) {
    const auto jobs = Jobs(std::string(kHeader) + "a," + text + ",1,0\n");
    ASSERT_TRUE(jobs.ok()) << jobs.status();
    EXPECT_EQ(jobs->at(0).submitted, moment) << text;
  }
}

TEST(JobList, NamesWhatIsWrongWithARow) {
  const std::pair<const char*, const char*> table[] = {
      {"a,1,2", "jobs.csv:2:5: the line has 3 values, the header 11; is the file cut off?"},
      {"a,1,2,1,500,1,1,T4,0,q,1,1", "jobs.csv:2:26: the line has 12 values, the header 11"},
      {",1,2,1,500,1,1,T4,0,q,1", "jobs.csv:2:1: job is empty; it should be there"},
      {"a,1,2,1,500,1,1,T4,0,q,1\na,1,2,1,500,1,1,T4,0,q,1",
       "jobs.csv:3:1: job is \"a\"; it should be unique, but line 2 has it too"},
      {"a,1,2,1,500,1,1,T4,0,q,1\nb,2017-10-09 07:01:55,2,1,500,1,1,T4,0,q,1",
       "jobs.csv:3:3: submit is \"2017-10-09 07:01:55\"; it should be seconds, as in line 2"},
      {"a,2017-10-09 07:01:55,2,1,500,1,1,T4,0,q,1\nb,1,2,1,500,1,1,T4,0,q,1",
       "jobs.csv:3:3: submit is \"1\"; it should be a date, as in line 2"},
      {"a,,2,1,500,1,1,T4,0,q,1",
       "jobs.csv:2:3: submit is empty; it should be a number from 0 to 10000000000"},
      {"a,-1,2,1,500,1,1,T4,0,q,1", "jobs.csv:2:3: submit is \"-1\""},
      {"a,noon,2,1,500,1,1,T4,0,q,1", "jobs.csv:2:3: submit is \"noon\""},
      {"a,nan,2,1,500,1,1,T4,0,q,1", "jobs.csv:2:3: submit is \"nan\""},
      {"a,2017-10-32 07:01:55,2,1,500,1,1,T4,0,q,1",
       "jobs.csv:2:3: submit is \"2017-10-32 07:01:55\"; it should be seconds, or a date such as "
       "2017-10-09 07:01:55 from 1970 to 2286"},
      {"a,2017-10-09,2,1,500,1,1,T4,0,q,1", "jobs.csv:2:3: submit is \"2017-10-09\""},
      {"a,1969-10-09 07:01:55,2,1,500,1,1,T4,0,q,1", "jobs.csv:2:3: submit is \"1969-10-09"},
      {"a,2287-10-09 07:01:55,2,1,500,1,1,T4,0,q,1", "jobs.csv:2:3: submit is \"2287-10-09"},
      {"a,1,,1,500,1,1,T4,0,q,1",
       "jobs.csv:2:5: duration is empty; it should be a number from 0 to 1000000000"},
      {"a,1,-2,1,500,1,1,T4,0,q,1", "jobs.csv:2:5: duration is \"-2\""},
      {"a,1,1h,1,500,1,1,T4,0,q,1", "jobs.csv:2:5: duration is \"1h\""},
      {"a,1,inf,1,500,1,1,T4,0,q,1", "jobs.csv:2:5: duration is \"inf\""},
      {"a,1,2,-1,500,1,1,T4,0,q,1",
       "jobs.csv:2:7: gpus is \"-1\"; it should be a whole number from 0 to 256"},
      {"a,1,2,0.5,500,1,1,T4,0,q,1", "jobs.csv:2:7: gpus is \"0.5\""},
      {"a,1,2,1,0,1,1,T4,0,q,1",
       "jobs.csv:2:9: gpu_milli is \"0\"; it should be a whole number from 1 to 1000"},
      {"a,1,2,2,500,1,1,T4,0,q,1", "jobs.csv:2:9: gpu_milli is \"500\"; it should be 1000"},
      {"a,1,2,1,500,-1,1,T4,0,q,1", "jobs.csv:2:13: cpu_milli is \"-1\"; it should be a whole"},
      {"a,1,2,1,500,1,1Gi,T4,0,q,1", "jobs.csv:2:15: memory_mib is \"1Gi\""},
      {"a,1,2,1,500,1,1,H100,0,q,1",
       "jobs.csv:2:17: models is \"H100\"; it should be empty, or have one of the nodes' models: "
       "G2, T4"},
      {"a,1,2,1,500,1,1,T4|,0,q,1",
       "jobs.csv:2:17: models is \"T4|\"; it should be models such as"},
      {"a,1,2,1,500,1,1,T4,high,q,1",
       "jobs.csv:2:20: priority is \"high\"; it should be a whole number from -2000000000 to"},
      {"a,1,2,1,500,1,1,T4,0,q,0",
       "jobs.csv:2:24: gang is \"0\"; it should be a whole number from 1 to 10000"},
      {"a,1,2,1,500,1,1,T4,0,q,", "jobs.csv:2:24: gang is empty"},
  };
  for (const auto& [rows, message] : table) {
    const Status status = Jobs(std::string(kWholeHeader) + rows + "\n").status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << rows;
    EXPECT_THAT(std::string(status.message()), StartsWith(message)) << rows;
  }
}

TEST(JobList, NamesWhatIsWrongWithTheFileEvenWhereBadRowsAreLeftOut) {
  const std::pair<std::string, const char*> table[] = {
      {"", "jobs.csv:1:1: the file is empty; it should start with a line that names its columns"},
      {"job,submit,gpus\na,1,1\n", "jobs.csv:1:1: there is no column \"duration\"; there are"},
      {"job,submit,duration,gpus,job\n", "jobs.csv:1:26: the column \"job\" is there twice"},
      {std::string(kHeader) + "\"a,1,2,1\n",
       "jobs.csv:2:1: the quote that opens here is never closed; is the file cut off?"},
      {"\xFF\xFEj\0o\0b\0", "jobs.csv:1:1: the file is UTF-16; it should be saved as UTF-8"},
      {kHeader + std::string("a\0b,1,2,1\n", 11), "jobs.csv:2:2: a character that no text has"},
  };
  std::vector<Status> skipped;
  for (const auto& [text, message] : table) {
    const Status status = Jobs(text, &skipped).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(status.message()), StartsWith(message)) << text;
  }
  EXPECT_THAT(skipped, IsEmpty());
}

TEST(JobList, LeavesOutBadRowsWhereThatIsAskedFor) {
  std::vector<Status> skipped;
  const auto jobs =
      Jobs(std::string(kHeader) + "a,1,2,1\nb,1,-2,1\nc,1,2,1\na,1,2,1\nd,1,2", &skipped);
  ASSERT_TRUE(jobs.ok()) << jobs.status();
  EXPECT_THAT(*jobs, ElementsAre(Field(&TraceJob::pod, Field(&TracePod::name, "a")),
                                 Field(&TraceJob::pod, Field(&TracePod::name, "c"))));
  ASSERT_THAT(skipped, SizeIs(3));
  EXPECT_THAT(std::string(skipped[0].message()), StartsWith("jobs.csv:3:5: duration is \"-2\""));
  EXPECT_THAT(std::string(skipped[1].message()), StartsWith("jobs.csv:5:1: job is \"a\""));
  EXPECT_THAT(std::string(skipped[2].message()), HasSubstr("is the file cut off?"));
}

TEST(JobList, IsReadFromAFile) {
  const TempDirectory directory;
  const auto jobs =
      ReadJobList(directory.Write("jobs.csv", std::string(kHeader) + "a,1,2,1\n"), TwoNodes());
  ASSERT_TRUE(jobs.ok()) << jobs.status();
  EXPECT_THAT(*jobs, SizeIs(1));
  EXPECT_EQ(ReadJobList(directory.path() / "none.csv", TwoNodes()).status().code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace berth
