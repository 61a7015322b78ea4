// berth evaluate, from the command line to its exit status.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/run_program.h"
#include "support/temp_directory.h"

namespace berth {
namespace {

using ::testing::HasSubstr;

const std::string kSlice = std::string(BERTH_SOURCE_DIR) + "/tests/data/openb";

class EvaluateTest : public ::testing::Test {
 protected:
  EvaluateTest() { unsetenv("BERTH_TRACES"); }

  static FinishedProgram Evaluate(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {BERTH_BIN_DIR "/berth", "evaluate"});
    return RunProgram(arguments);
  }

  nlohmann::json RunsIn(const std::string& name) const {
    std::ifstream in(directory_.path() / name);
    return nlohmann::json::parse(in).at("runs");
  }

  std::string PathOf(const std::string& name) const { return directory_.path() / name; }

  // Two nodes of two GPUs, and pods of half a GPU; the second of each is wrong.
  const TempDirectory directory_;
  const std::string nodes_ = directory_.Write(
      "nodes.csv", "sn,cpu_milli,memory_mib,gpu,model\na,8000,8000,2,T4\nb,8000,8000,two,T4\n");
  const std::string pods_ = directory_.Write("pods.csv",
                                             "name,cpu_milli,memory_mib,num_gpu,gpu_milli\n"
                                             "p,1000,1000,1,500\nq,1000,1000,1,0\n");
};

TEST_F(EvaluateTest, AgreesWithWhatWasPublished) {
  const FinishedProgram run =
      Evaluate({"--suite", "openb", "--orders", kSlice + "/orders", "--expected",
                kSlice + "/expected", "--traces", "default", "--seeds", "42", "--policies",
                "bestfit", "--json", PathOf("r.json")});
  EXPECT_EQ(run.status, 0) << run.output;
  EXPECT_THAT(run.output, HasSubstr("1 runs  ok"));
  const nlohmann::json runs = RunsIn("r.json");
  ASSERT_EQ(runs.size(), 1);
  EXPECT_EQ(runs[0].at("policy"), "bestfit");
  EXPECT_EQ(runs[0].at("trace"), "default");
  EXPECT_EQ(runs[0].at("seed"), 42);
  EXPECT_EQ(runs[0].at("allocation").size(), 131);
  EXPECT_GT(runs[0].at("failed_pods"), 1000);
  EXPECT_GT(runs[0].at("failed_gpus"), 1000);
}

TEST_F(EvaluateTest, FailsWhenItIsTooFarFromWhatWasPublished) {
  std::string header = "workload,sc_policy,tune,seed,total_gpus";
  std::string row = "openb_pod_list_default,05-BestFit,1.3,42,6212";
  for (int percent = 0; percent <= 130; ++percent) {
    header += "," + std::to_string(percent);
    row += ",50";
  }
  directory_.Write("analysis_allo_discrete.csv", header + "\n" + row + "\n");
  const FinishedProgram run =
      Evaluate({"--suite", "openb", "--orders", kSlice + "/orders", "--expected", directory_.path(),
                "--traces", "default", "--seeds", "42", "--policies", "bestfit"});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.output, HasSubstr("TOO FAR OFF"));
}

TEST_F(EvaluateTest, NeedsNoTraceFile) {
  const std::string mix =
      directory_.Write("mix.json", R"({"version": "halves", "source": "made up", "classes": [
                      {"cpu_milli": 1000, "gpus": 1, "gpu_milli": 500, "count": 4}]})");
  const FinishedProgram packing =
      Evaluate({"--mix", mix, "--policies", "random", "--seeds", "1", "--nodes", nodes_,
                "--skip-bad-rows", "--json", PathOf("r.json")});
  EXPECT_EQ(packing.status, 0) << packing.output;
  EXPECT_EQ(RunsIn("r.json")[0].at("trace"), "halves");

  const FinishedProgram living =
      Evaluate({"--suite", "living", "--mix", mix, "--policies", "fgd", "--seeds", "1-2", "--nodes",
                nodes_, "--skip-bad-rows", "--json", PathOf("l.json")});
  EXPECT_EQ(living.status, 0) << living.output;
  EXPECT_THAT(living.output, HasSubstr("backfill   1.00  fgd"));
  EXPECT_THAT(living.output, HasSubstr("fifo at load 1.00 has no steady state"));
  ASSERT_EQ(RunsIn("l.json").size(), 6 * 2);
  EXPECT_GT(RunsIn("l.json")[0].at("allocated"), 0.1);
}

TEST_F(EvaluateTest, WritesPagesWithPictures) {
  const std::string mix =
      directory_.Write("mix.json", R"({"version": "</script>", "source": "made up", "classes": [
                      {"cpu_milli": 1000, "gpus": 1, "gpu_milli": 500, "count": 4}]})");
  for (const std::vector<std::string>& suite :
       {std::vector<std::string>{}, {"--suite", "living", "--policies", "fgd"}}) {
    std::vector<std::string> arguments = {"--mix",           mix,       "--nodes", nodes_,
                                          "--skip-bad-rows", "--seeds", "1",       "--report",
                                          PathOf("r.html")};
    arguments.insert(arguments.end(), suite.begin(), suite.end());
    const FinishedProgram run = Evaluate(arguments);
    ASSERT_EQ(run.status, 0) << run.output;
    std::ifstream in(PathOf("r.html"));
    const std::string page(std::istreambuf_iterator<char>(in), {});
    EXPECT_THAT(page, testing::StartsWith("<!doctype html>"));
    EXPECT_THAT(page, testing::EndsWith("</html>\n"));
    EXPECT_THAT(page, HasSubstr(R"("fgd"])"));
    EXPECT_THAT(page, testing::Not(HasSubstr(R"("name":"</script>")")));
  }
}

// The same pods in the same order, told of differently or decided upon later: nothing is compared
// with the published results then.
TEST_F(EvaluateTest, LetsPoliciesKnowLess) {
  const std::vector<std::string> slice = {
      "--suite", "openb",          "--orders",   kSlice + "/orders",  "--seeds",
      "42",      "--traces",       "default",    "--policies",        "fgd",
      "--json",  PathOf("r.json"), "--expected", kSlice + "/expected"};
  const std::string mix =
      directory_.Write("mix.json", R"({"version": "halves", "source": "made up", "classes": [
                      {"cpu_milli": 1000, "gpus": 1, "gpu_milli": 500, "count": 4}]})");
  const std::vector<std::vector<std::string>> ways = {
      {}, {"--profile", "online"}, {"--profile", mix}, {"--lag", "20", "--expectations", "off"}};
  std::vector<nlohmann::json> curves;
  for (const std::vector<std::string>& way : ways) {
    std::vector<std::string> arguments = slice;
    arguments.insert(arguments.end(), way.begin(), way.end());
    const FinishedProgram run = Evaluate(arguments);
    ASSERT_EQ(run.status, 0) << run.output;
    EXPECT_EQ(run.output.find("distance from the published") != std::string::npos, way.empty());
    EXPECT_EQ(run.output.find("GPUs were not free") != std::string::npos,
              !way.empty() && way[0] == "--lag");
    curves.push_back(RunsIn("r.json")[0].at("allocation"));
    EXPECT_EQ(std::ranges::count(curves, curves.back()), 1);
  }
}

TEST_F(EvaluateTest, ComparesWithFgdOnAnyLists) {
  const FinishedProgram run =
      Evaluate({"--nodes", nodes_, "--pods", pods_, "--skip-bad-rows", "--policies", "random",
                "--seeds", "1-3", "--json", PathOf("r.json")});
  EXPECT_EQ(run.status, 0) << run.output;
  EXPECT_THAT(run.output, HasSubstr("nodes.csv:3:13: gpu is \"two\""));
  EXPECT_THAT(run.output, HasSubstr("pods.csv:3:15: gpu_milli is \"0\""));
  EXPECT_THAT(run.output, HasSubstr("2 rows skipped"));
  const nlohmann::json runs = RunsIn("r.json");
  ASSERT_EQ(runs.size(), 6);
  EXPECT_EQ(runs[0].at("policy"), "random");
  EXPECT_EQ(runs[5].at("policy"), "fgd");
}

TEST_F(EvaluateTest, GivesTheSameBytesForTheSameSeeds) {
  for (const char* name : {"1.json", "2.json"}) {
    const FinishedProgram run = Evaluate({"--nodes", nodes_, "--pods", pods_, "--skip-bad-rows",
                                          "--seeds", "1-20", "--json", PathOf(name)});
    ASSERT_EQ(run.status, 0) << run.output;
  }
  EXPECT_EQ(RunsIn("1.json").dump(), RunsIn("2.json").dump());
}

TEST_F(EvaluateTest, SaysWhatIsWrong) {
  const std::pair<std::vector<std::string>, const char*> table[] = {
      {{},
       "say what to evaluate on: --suite openb, --suite living, --mix FILE, or --nodes FILE "
       "--pods "},
      {{"--suite", "openb"}, "say where the benchmark lies: --orders DIR, or BERTH_TRACES=DIR"},
      {{"--suite", "philly"}, "philly not in {openb,living}"},
      {{"--nodes", nodes_}, "say what to evaluate on"},
      {{"--pods", pods_}, "--pods requires --nodes"},
      {{"--suite", "openb", "--nodes", nodes_, "--pods", pods_}, "has its own nodes and pods"},
      {{"--suite", "living", "--traces", "default"}, "are for --suite openb"},
      {{"--mix", "none.json"}, "--mix none.json: not found"},
      {{"--mix", "none.json", "--nodes", nodes_, "--pods", pods_}, "excludes"},
      {{"--suite", "living", "--profile", "none.json"}, "--profile none.json: not found"},
      {{"--suite", "living", "--lag", "10"}, "--lag is not for --suite living"},
      {{"--mix", "none.json", "--lag", "1", "--profile", "online"},
       "--lag is for policies that know"},
      {{"--mix", "none.json", "--expectations", "off"}, "--expectations requires --lag"},
      {{"--nodes", nodes_, "--pods", pods_, "--skip-bad-rows", "--lag", "1", "--policies",
        "random"},
       "random on pods, seed 9001: no heuristic is called \"random\""},
      {{"--nodes", nodes_, "--pods", pods_}, "nodes.csv:3:13: gpu is \"two\""},
      {{"--nodes", "none.csv", "--pods", pods_}, "none.csv"},
      {{"--nodes", nodes_, "--pods", pods_, "--seeds", "x"}, "\"x\" should be seeds such as"},
      {{"--nodes", nodes_, "--pods", pods_, "--policies", "best"}, "no policy is called \"best\""},
      {{"--nodes", nodes_, "--pods", pods_, "--skip-bad-rows", "--json", "/none/r.json"},
       "cannot write /none/r.json"},
      {{"--nodes", nodes_, "--pods", pods_, "--skip-bad-rows", "--report", "/none/r.html"},
       "cannot write /none/r.html"},
  };
  for (const auto& [arguments, message] : table) {
    const FinishedProgram run = Evaluate(arguments);
    EXPECT_NE(run.status, 0) << message;
    EXPECT_THAT(run.output, HasSubstr(message));
  }
}

}  // namespace
}  // namespace berth
