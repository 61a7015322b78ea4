// berth train, from the command line to a policy that berth evaluate plays.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/background_program.h"
#include "support/run_program.h"
#include "support/temp_directory.h"

namespace berth {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr char kData[] = BERTH_SOURCE_DIR "/tests/data/openb";

// Three generations of four candidates: moments, and far from any good.
constexpr char kRecipe[] = R"({
  "name": "tiny", "version": "1", "seed": 1, "nodes": "openb_node_list_gpu_node.csv",
  "packing": {
    "pods": ["openb_pod_list_default.csv"],
    "train": {"seeds": [1, 2], "loads": [90], "margin": 0.02, "loss_weight": 1},
    "validate": {"seeds": [3, 3], "loads": [90], "margin": 0.02, "loss_weight": 1}},
  "stages": [{"regime": "packing", "evolve": ["common"], "generations": 3, "candidates": 4, "step": 0.01,
              "pods_at_once": 1, "orders_at_once": 1, "validate_every": 1}]
})";

class TrainTest : public ::testing::Test {
 protected:
  std::vector<std::string> Command(const std::string& out,
                                   std::vector<std::string> more = {}) const {
    std::vector<std::string> command = {
        BERTH_BIN_DIR "/berth", "train", recipe_, "--data", kData, "--out", PathOf(out)};
    command.insert(command.end(), more.begin(), more.end());
    return command;
  }

  std::string PathOf(const std::string& name) const { return directory_.path() / name; }

  std::string Read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(PathOf(name), std::ios::binary).rdbuf();
    return text.str();
  }

  // The lines of the log without what no two runs have in common.
  std::vector<nlohmann::json> Log(const std::string& out) const {
    std::vector<nlohmann::json> lines;
    std::istringstream text(Read(out + "/training.jsonl"));
    for (std::string line; std::getline(text, line);) {
      lines.push_back(nlohmann::json::parse(line));
      lines.back().erase("seconds");
    }
    return lines;
  }

  // What the training wrote, the hour aside.
  nlohmann::json Manifest(const std::string& out) const {
    auto manifest = nlohmann::json::parse(Read(out + "/manifest.json"));
    manifest.erase("created");
    return manifest;
  }

  const TempDirectory directory_;
  const std::string recipe_ = directory_.Write("recipe.json", kRecipe);
};

TEST_F(TrainTest, MakesAPolicyThatCanBeEvaluated) {
  const FinishedProgram train = RunProgram(Command("out", {"--report", PathOf("page.html")}));
  ASSERT_EQ(train.status, 0) << train.output;
  EXPECT_THAT(Read("page.html"), HasSubstr("\"generation\":3"));
  EXPECT_THAT(train.output, HasSubstr("stage 1 (packing), generation 3: "));
  EXPECT_THAT(train.output, HasSubstr("out/policy.pt"));
  EXPECT_THAT(Log("out"), SizeIs(3));
  const nlohmann::json manifest = Manifest("out");
  EXPECT_EQ(manifest.at("name"), "tiny");
  EXPECT_EQ(manifest.at("version"), "1");
  EXPECT_THAT(manifest.at("training").at("data_sha256"), SizeIs(2));
  EXPECT_EQ(manifest.at("training").at("hyperparameters").at(0).at("generations"), 3);
  const nlohmann::json free = manifest.at("feature_ranges").at("gpu_free_before");
  EXPECT_EQ(free, nlohmann::json({0, 8})) << "of nodes with up to 8 GPUs, and those that are full";

  const FinishedProgram evaluate =
      RunProgram({BERTH_BIN_DIR "/berth", "evaluate", "--nodes",
                  std::string(kData) + "/openb_node_list_gpu_node.csv", "--pods",
                  std::string(kData) + "/openb_pod_list_default.csv", "--seeds", "5-5",
                  "--policies", PathOf("out")});
  EXPECT_EQ(evaluate.status, 0) << evaluate.output;
  EXPECT_THAT(evaluate.output, HasSubstr("tiny"));
}

TEST_F(TrainTest, KilledAtAnyMomentItGoesOnToTheSamePolicy) {
  ASSERT_EQ(RunProgram(Command("whole")).status, 0);
  {
    BackgroundProgram killed(Command("parts"));
    ASSERT_TRUE(killed.AwaitLine("generation 1: ", std::chrono::seconds(60)).ok());
    kill(killed.pid(), SIGKILL);
  }
  ASSERT_FALSE(std::filesystem::exists(PathOf("parts/policy.pt"))) << "it was killed too late";
  std::ofstream(PathOf("parts/training.jsonl"), std::ios::app) << "{\"half a li";
  const FinishedProgram resumed = RunProgram(Command("parts", {"--resume", "--threads", "1"}));
  ASSERT_EQ(resumed.status, 0) << resumed.output;
  EXPECT_EQ(Read("parts/policy.pt"), Read("whole/policy.pt"));
  EXPECT_EQ(Manifest("parts"), Manifest("whole"));
  EXPECT_EQ(Log("parts"), Log("whole"));
}

// No file grows beyond 2 KiB, as on a disk that is full: the log fits, the checkpoint does not.
TEST_F(TrainTest, AFullDiskLosesNothingAndIsGoneOnFromWhenThereIsRoom) {
  ASSERT_EQ(RunProgram(Command("whole")).status, 0);
  {
    BackgroundProgram killed(Command("parts"));
    ASSERT_TRUE(killed.AwaitLine("generation 1: ", std::chrono::seconds(60)).ok());
    kill(killed.pid(), SIGKILL);
  }
  const std::string checkpoint = Read("parts/checkpoint");
  std::vector<std::string> command = {"/bin/bash", "-c", "trap '' XFSZ; ulimit -f 2; exec \"$@\"",
                                      "bash"};
  for (const std::string& word : Command("parts", {"--resume"})) command.push_back(word);
  const FinishedProgram full = RunProgram(command);
  EXPECT_EQ(full.status, 1);
  EXPECT_THAT(full.output, HasSubstr("parts/checkpoint.new: cannot be written: File too large"));
  EXPECT_EQ(Read("parts/checkpoint"), checkpoint);

  const FinishedProgram resumed = RunProgram(Command("parts", {"--resume"}));
  ASSERT_EQ(resumed.status, 0) << resumed.output;
  EXPECT_EQ(Read("parts/policy.pt"), Read("whole/policy.pt"));
  EXPECT_EQ(Log("parts"), Log("whole"));
}

TEST_F(TrainTest, NothingIsOverwrittenUnasked) {
  ASSERT_EQ(RunProgram(Command("out")).status, 0);
  const FinishedProgram again = RunProgram(Command("out"));
  EXPECT_EQ(again.status, 1);
  EXPECT_THAT(again.output, HasSubstr("go on from it with --resume, or remove it"));
  directory_.Write("recipe.json", std::string(kRecipe) + " ");
  const FinishedProgram other = RunProgram(Command("out", {"--resume"}));
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.output, HasSubstr("out/checkpoint: it is of another recipe"));
}

TEST_F(TrainTest, SaysWhatIsMissing) {
  const FinishedProgram no_checkpoint = RunProgram(Command("out", {"--resume"}));
  EXPECT_EQ(no_checkpoint.status, 1);
  EXPECT_THAT(no_checkpoint.output, HasSubstr("out/checkpoint"));
  directory_.Write("recipe.json", "{}");
  const FinishedProgram empty = RunProgram(Command("out"));
  EXPECT_EQ(empty.status, 1);
  EXPECT_THAT(empty.output, HasSubstr("recipe.json: the file lacks the key \"name\""));
}

}  // namespace
}  // namespace berth
