// What a training leaves in its directory, whatever interrupts it.

#include "apps/berth/training_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/temp_directory.h"
#include "unit/learn/small_training.h"

namespace berth {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;
using testing::HasSubstr;

class TrainingFilesTest : public testing::Test {
 protected:
  // Plays so many generations and keeps each.
  void Play(Training& training, int generations) {
    for (int i = 0; i < generations; ++i) {
      const auto report = training.Advance();
      ASSERT_TRUE(report.ok()) << report.status();
      ASSERT_TRUE(files_.Keep(training, *report, seconds(2)).ok());
    }
  }

  std::string Read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(out_ / name, std::ios::binary).rdbuf();
    return text.str();
  }
  void Append(const std::string& name, std::string_view bytes) const {
    std::ofstream(out_ / name, std::ios::binary | std::ios::app) << bytes;
  }

  const TempDirectory directory_;
  const fs::path out_ = directory_.path() / "a" / "b";
  const TrainingFiles files_{out_, std::string(kSmallRecipe)};
  const Recipe recipe_ = SmallRecipe();
  const TrainingData data_ = SmallData(recipe_);
};

TEST_F(TrainingFilesTest, HoldALinePerGenerationAndTheStateToGoOnFrom) {
  ASSERT_TRUE(files_.Begin().ok());
  Training training(recipe_, data_, 1);
  Play(training, 2);
  std::istringstream log(files_.ReadLog().value());
  std::string line;
  for (int generation = 1; std::getline(log, line); ++generation) {
    const auto json = nlohmann::json::parse(line);
    EXPECT_EQ(json.at("generation"), generation);
    EXPECT_EQ(json.at("seconds"), 2);
    EXPECT_TRUE(json.contains("validation"));
  }
  EXPECT_EQ(files_.Resume().value(), training.state());
}

// A crash may come after the line was written and before the checkpoint was, or in the middle of
// the line; a power cut may leave zeros.
TEST_F(TrainingFilesTest, TheLogIsCutBackToTheCheckpoint) {
  ASSERT_TRUE(files_.Begin().ok());
  Training training(recipe_, data_, 1);
  Play(training, 2);
  const std::string log = Read("training.jsonl");
  const std::string beyond[] = {"{\"generation\":3}\n", "{\"generation\":3,\"sta", "\n",
                                std::string(100, '\0')};
  for (const std::string& more : beyond) {
    Append("training.jsonl", more);
    EXPECT_EQ(files_.Resume().value(), training.state());
    EXPECT_EQ(Read("training.jsonl"), log) << more;
  }
}

TEST_F(TrainingFilesTest, ALineThatLacksItsEndIsCutWhereverItIs) {
  ASSERT_TRUE(files_.Begin().ok());
  Training training(recipe_, data_, 1);
  Play(training, 2);
  const std::string log = Read("training.jsonl");
  fs::resize_file(out_ / "training.jsonl", log.size() - 5);
  ASSERT_TRUE(files_.Resume().ok());
  EXPECT_EQ(Read("training.jsonl"), log.substr(0, log.find('\n') + 1));
}

TEST_F(TrainingFilesTest, NothingIsBegunOverAnEarlierRun) {
  ASSERT_TRUE(files_.Begin().ok());
  Training training(recipe_, data_, 1);
  Play(training, 1);
  const std::string log = Read("training.jsonl"), checkpoint = Read("checkpoint");
  EXPECT_THAT(std::string(files_.Begin().message()), HasSubstr("with --resume, or remove it"));
  EXPECT_EQ(Read("training.jsonl"), log);
  EXPECT_EQ(Read("checkpoint"), checkpoint);
}

}  // namespace
}  // namespace berth
