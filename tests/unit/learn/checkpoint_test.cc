#include "learn/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "small_training.h"

namespace berth {
namespace {

using ::testing::HasSubstr;

TEST(Checkpoint, GivesBackWhatWentIn) {
  const Recipe recipe = SmallRecipe();
  const TrainingData data = SmallData(recipe);
  Training training(recipe, data, 1);
  while (!training.done()) {
    const auto read = ReadCheckpoint(WriteCheckpoint(training.state(), "a"), "a");
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(*read, training.state());
    ASSERT_TRUE(training.Advance().ok());
  }
}

TEST(Checkpoint, RefusesWhatItCannotGoOnFrom) {
  const Recipe recipe = SmallRecipe();
  const TrainingData data = SmallData(recipe);
  Training training(recipe, data, 1);
  ASSERT_TRUE(training.Advance().ok());
  const std::string bytes = WriteCheckpoint(training.state(), "the recipe");
  struct Case {
    std::string bytes;
    const char* recipe;
    const char* want;
  };
  const Case cases[] = {
      {bytes, "another", "another recipe, or the recipe was changed"},
      {"", "the recipe", "no checkpoint"},
      {"text", "the recipe", "no checkpoint"},
      {bytes.substr(0, bytes.size() / 2), "the recipe", "no checkpoint"},
      {bytes + "x", "the recipe", "no checkpoint"},
  };
  for (const Case& c : cases) {
    const auto read = ReadCheckpoint(c.bytes, c.recipe);
    ASSERT_FALSE(read.ok()) << c.want;
    EXPECT_THAT(std::string(read.status().message()), HasSubstr(c.want));
  }
}

}  // namespace
}  // namespace berth
