// berth simulate, from the command line to its exit status.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "support/run_program.h"
#include "support/temp_directory.h"

namespace berth {
namespace {

using ::testing::HasSubstr;

constexpr char kPodHeader[] =
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
    "deletion_time,scheduled_time\n";

std::string TextIn(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class SimulateTest : public ::testing::Test {
 protected:
  FinishedProgram Simulate(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {BERTH_BIN_DIR "/berth", "simulate"});
    return RunProgram(arguments);
  }

  // What --json writes; everything else has to go well.
  nlohmann::json ResultOf(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--json", PathOf("result.json")});
    const FinishedProgram run = Simulate(arguments);
    EXPECT_EQ(run.status, 0) << run.output;
    return nlohmann::json::parse(TextIn(PathOf("result.json")));
  }

  std::string PathOf(const std::string& name) const { return directory_.path() / name; }

  const TempDirectory directory_;
  const std::string nodes_ = directory_.Write("nodes.csv",
                                              "sn,cpu_milli,memory_mib,gpu,model\n"
                                              "a,96000,393216,8,T4\nb,64000,262144,4,G2\n");
};

// The jobs.csv that docs/simulation.md shows.
std::string DocumentedJobs() {
  const std::string docs = TextIn(BERTH_SOURCE_DIR "/docs/simulation.md");
  const std::regex block("\n    (job,submit.*\n(?:    .*\n)*)");
  std::smatch match;
  EXPECT_TRUE(std::regex_search(docs, match, block));
  return std::regex_replace(match[1].str(), std::regex("\n    "), "\n");
}

TEST_F(SimulateTest, ReplaysTheExampleOfTheDocumentation) {
  const std::string jobs = directory_.Write("jobs.csv", DocumentedJobs());
  const FinishedProgram run = Simulate({"--jobs", jobs, "--cluster", "16x8"});
  EXPECT_EQ(run.status, 0) << run.output;
  EXPECT_THAT(run.output, HasSubstr("fgd-bestfit, backfill: 4 jobs on 16 nodes with 128 GPUs\n"
                                    "4 ran to their end, after 0d 02:00:00; 0 were refused"));
  const nlohmann::json result = ResultOf({"--jobs", jobs, "--cluster", "16x8"});
  EXPECT_EQ(result.at("arrived"), 4);
  EXPECT_EQ(result.at("departed"), 4);
  EXPECT_EQ(result.at("end_s"), 7200);
  EXPECT_EQ(result.at("waits_by_queue").at("ops, nightly").at("jobs"), 1);
  EXPECT_EQ(result.at("load").size(), 240);
}

// Pending without a time of scheduling, failed but there, models named twice, no GPU, eight GPUs.
TEST_F(SimulateTest, ReplaysOpenbPodsWithTheirQuirks) {
  const std::string pods =
      directory_.Write("pods.csv", std::string(kPodHeader) +
                                       "pend,8000,30517,1,230,,BE,Pending,50,50,\n"
                                       "fail,8000,0,1,590,,BE,Failed,10,40,11\n"
                                       "spec,4000,4096,1,1000,T4|G2|G2,LS,Running,20,90,20\n"
                                       "none,4000,4096,0,0,,LS,Running,0,90,0\n"
                                       "eight,88000,380000,8,1000,,LS,Running,0,90,0\n");
  const nlohmann::json result = ResultOf({"--pods", pods, "--nodes", nodes_});
  EXPECT_EQ(result.at("arrived"), 5);
  EXPECT_EQ(result.at("placed"), 5);
  EXPECT_EQ(result.at("departed"), 5);
  EXPECT_EQ(result.at("gpu_milli_in_use_at_end"), 0);
}

TEST_F(SimulateTest, ReplaysPhillyWithJobsOfSeveralNodesAndRefusesWhatIsLargerThanAll) {
  const std::string philly = directory_.Write("philly.csv",
                                              "timestamp,duration,num_gpus,gpu_time,cluster\n"
                                              "2017-10-09 07:00:00,60,16,960,vc\n"
                                              "2017-10-09 07:00:30,60,64,3840,vc\n"
                                              "2017-10-09 07:00:40,60,1,60,vc\n");
  const nlohmann::json result =
      ResultOf({"--philly", philly, "--cluster", "2x8", "--queue", "fifo", "--policy", "bestfit"});
  EXPECT_EQ(result.at("refused"), nlohmann::json({"line-3"}));
  EXPECT_EQ(result.at("departed"), 2);
  EXPECT_EQ(result.at("waits").at("longest_s"), 20);
  EXPECT_EQ(result.at("end_s"), 120);
}

// However people save it, it is the same trace.
TEST_F(SimulateTest, GivesTheSameBytesForTheSameTraceAndSeed) {
  const std::string header = "job,submit,duration,gpus\n", rows = "a,0,60,3\nb,1,60,3\nc,2,60,3\n";
  std::string crlf = header + rows;
  for (size_t at = 0; (at = crlf.find('\n', at)) != crlf.npos; at += 2) crlf.insert(at, "\r");
  const std::string texts[] = {header + rows, "\xEF\xBB\xBF" + header + rows, crlf,
                               header + "\n" + rows + "\n\n",
                               "job,submit,duration,gpus\n"
                               "c,2,60,3\nb,1,60,3\na,0,60,3"};
  std::set<std::string> results;
  for (const std::string& text : texts) {
    ResultOf({"--jobs", directory_.Write("jobs.csv", text), "--nodes", nodes_, "--policy", "random",
              "--seed", "7"});
    results.insert(TextIn(PathOf("result.json")));
  }
  EXPECT_EQ(results.size(), 1u);
}

TEST_F(SimulateTest, SaysThatAListHasNoJobs) {
  const std::string jobs = directory_.Write("jobs.csv", "job,submit,duration,gpus\n");
  const FinishedProgram run = Simulate({"--jobs", jobs, "--cluster", "1x8"});
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.output, HasSubstr("0 jobs on 1 nodes"));
}

TEST_F(SimulateTest, LeavesOutBadRowsWhereThatIsAskedForAndStopsElsewhere) {
  const std::string jobs =
      directory_.Write("jobs.csv", "job,submit,duration,gpus\na,0,60,1\nb,0,-1,1\n");
  const FinishedProgram strict = Simulate({"--jobs", jobs, "--cluster", "1x8"});
  EXPECT_EQ(strict.status, 1);
  EXPECT_THAT(strict.output, HasSubstr("jobs.csv:3:5: duration is \"-1\"; it should be a number"));
  const FinishedProgram lenient = Simulate({"--jobs", jobs, "--cluster", "1x8", "--skip-bad-rows"});
  EXPECT_EQ(lenient.status, 0) << lenient.output;
  EXPECT_THAT(lenient.output, HasSubstr("1 rows skipped"));
}

TEST_F(SimulateTest, SaysWhatIsWrongWithTheCommandLine) {
  const std::string jobs = directory_.Write("jobs.csv", "job,submit,duration,gpus\na,0,60,1\n");
  const std::pair<std::vector<std::string>, const char*> table[] = {
      {{}, "say what to replay"},
      {{"--jobs", jobs}, "say on which nodes"},
      {{"--jobs", jobs, "--cluster", "8"}, "it should be such as 64x8"},
      {{"--jobs", jobs, "--cluster", "1x8", "--policy", "best"}, "no policy is called \"best\""},
      {{"--jobs", jobs, "--cluster", "1x8", "--queue", "lifo"}, "lifo"},
      {{"--jobs", PathOf("none.csv"), "--cluster", "1x8"}, "none.csv"},
      {{"--jobs", jobs, "--cluster", "1x8", "--json", PathOf("no/r.json")}, "cannot write"},
  };
  for (const auto& [arguments, message] : table) {
    const FinishedProgram run = Simulate(arguments);
    EXPECT_NE(run.status, 0) << message;
    EXPECT_THAT(run.output, HasSubstr(message));
  }
}

}  // namespace
}  // namespace berth
