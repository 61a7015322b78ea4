#include "learn/recipe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "small_training.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(Recipe, IsReadAsWritten) {
  const Recipe recipe = SmallRecipe();
  EXPECT_EQ(recipe.name, "small");
  EXPECT_EQ(recipe.seed, 3);
  EXPECT_EQ(recipe.nodes, "nodes.csv");
  EXPECT_THAT(recipe.PodsOf(Regime::kPacking), ElementsAre("few", "many"));
  EXPECT_THAT(recipe.packing.train.seeds.All(), ElementsAre(1, 2, 3));
  EXPECT_THAT(recipe.packing.validate.seeds.All(), ElementsAre(11, 12));
  EXPECT_THAT(recipe.packing.validate.judgement.loads, ElementsAre(50, 80, 130));
  EXPECT_EQ(recipe.TotalGenerations(), 13);
  ASSERT_THAT(recipe.stages, SizeIs(6));
  EXPECT_THAT(recipe.stages[0].blocks, ElementsAre(WeightBlock()));
  EXPECT_THAT(recipe.stages[0].pods, ElementsAre("few", "many"));
  EXPECT_THAT(recipe.stages[1].blocks, ElementsAre(WeightBlock{.number = MixNumber::kShares},
                                                   WeightBlock{.number = MixNumber::kConstrained}));
  EXPECT_THAT(recipe.stages[1].pods, ElementsAre("many"));
  EXPECT_THAT(recipe.stages[1].choose_by, ElementsAre("few", "many"));
  EXPECT_EQ(recipe.stages[1].candidates, 6);
  EXPECT_EQ(recipe.stages[1].step, 0.01);
}

TEST(Recipe, HasAnotherRegimeWhereItSaysSo) {
  const Recipe recipe = SmallRecipe();
  ASSERT_TRUE(recipe.living.has_value());
  EXPECT_THAT(recipe.PodsOf(Regime::kLiving), ElementsAre("few"));
  const LivingJudgement& judgement = recipe.living->validate.judgement;
  ASSERT_THAT(judgement.settings, SizeIs(1));
  EXPECT_EQ(judgement.settings[0].setting.queue.name, "backfill");
  EXPECT_EQ(judgement.settings[0].setting.load, 0.95);
  EXPECT_EQ(judgement.settings[0].weight, 1);
  EXPECT_EQ(judgement.span.warm_up, 1);
  EXPECT_EQ(judgement.span.length, 4);
  EXPECT_EQ(recipe.stages[2].regime, Regime::kLiving);
  EXPECT_THAT(recipe.stages[2].blocks, ElementsAre(WeightBlock{.regime = Regime::kLiving}));
  EXPECT_THAT(recipe.stages[2].pods, ElementsAre("few"));
}

TEST(Recipe, HasStagesThatGoDownAGradient) {
  const Recipe recipe = SmallRecipe();
  EXPECT_FALSE(recipe.stages[0].gradient.has_value());
  EXPECT_EQ(recipe.stages[0].EpisodesPerGeneration(), 1 * 2 * 4);
  const RecipeStage &imitation = recipe.stages[3], &ppo = recipe.stages[4];
  ASSERT_TRUE(imitation.gradient && ppo.gradient);
  EXPECT_EQ(imitation.gradient->expert, "bestfit");
  EXPECT_EQ(imitation.generations, 2);
  EXPECT_THAT(imitation.blocks, ElementsAre(WeightBlock()));
  EXPECT_EQ(ppo.gradient->expert, "");
  EXPECT_EQ(ppo.gradient->rate, 0.001);
  EXPECT_EQ(ppo.gradient->temperature, 0.05);
  EXPECT_THAT(ppo.blocks, ElementsAre(WeightBlock(), WeightBlock{.number = MixNumber::kShares}));
  EXPECT_EQ(ppo.EpisodesPerGeneration(), 2);
}

TEST(Recipe, HasStagesThatShrinkWithoutPlaying) {
  const Recipe recipe = SmallRecipe();
  EXPECT_FALSE(recipe.stages[0].shrink.has_value());
  const RecipeStage& shrinks = recipe.stages[5];
  EXPECT_EQ(shrinks.shrink, 0.25);
  EXPECT_EQ(shrinks.regime, Regime::kLiving);
  EXPECT_EQ(shrinks.generations, 1);
  EXPECT_EQ(shrinks.EpisodesPerGeneration(), 0);
}

// The recipe with one place changed.
std::string With(std::string_view from, std::string_view to) {
  std::string recipe(kSmallRecipe);
  const size_t at = recipe.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return recipe.replace(at, from.size(), to);
}

TEST(Recipe, WhatIsWrongIsSaidWithTheFieldAndWhatWouldBeRight) {
  struct Case {
    std::string recipe;
    const char* want;
  };
  const Case cases[] = {
      {"", "this is not JSON"},
      {"[]", "the file should be a JSON object"},
      {"{}", "lacks the key \"name\""},
      {With("\"seed\": 3", "\"seed\": 3, \"speed\": 9"), "unknown key \"speed\""},
      {With("\"small\"", "\"\""), "name is \"\\\"\\\"\"; it should be a string that is not empty"},
      {With("\"seed\": 3", "\"seed\": -1"), "seed is \"-1\"; it should be a whole number"},
      {With("[\"few\", \"many\"]", "[]"),
       "packing.pods is \"[]\"; it should be a list of at least one"},
      {With("[\"few\", \"many\"]", "[\"few\", \"few\"]"), "packing.pods[1] is"},
      {With("[1, 3]", "[1]"),
       "packing.train.seeds is \"[1]\"; it should be the first and the last seed"},
      {With("[1, 3]", "[3, 1]"),
       "packing.train.seeds[1] is \"1\"; it should be a whole number from 3"},
      {With("[1, 3]", "[1, 11]"),
       "packing.validate.seeds is \"[11,12]\"; it should be seeds that are not"},
      {With("[50, 80]", "[50, 131]"), "packing.train.loads[1] is \"131\""},
      {With("0.02", "-1"), "packing.train.margin is \"-1\"; it should be a number from 0"},
      {With("[\"common\"]", "[]"), "stages[0].evolve is \"[]\""},
      {With("[\"common\"]", "[\"all\"]"),
       "stages[0].evolve[0] is \"\\\"all\\\"\"; it should be one of common, mix_constrained"},
      {With("[\"common\"]", "[\"common\", \"common\"]"), "stages[0].evolve[1]"},
      {With("\"candidates\": 4", "\"candidates\": 5"), "it should be even"},
      {With("\"candidates\": 4", "\"candidates\": 2"), "stages[0].candidates is \"2\""},
      {With("\"generations\": 3", "\"generations\": 0"), "stages[0].generations is \"0\""},
      {With("\"step\": 0.02", "\"step\": 0"), "stages[0].step is \"0\""},
      {With("\"pods_at_once\": 1", "\"pods_at_once\": 3"),
       "stages[0].pods_at_once is \"3\"; it should be a whole number from 1 to 2"},
      {With("\"pods\": [\"many\"]", "\"pods\": [\"more\"]"),
       "stages[1].pods is \"[\\\"more\\\"]\"; it should be a part of the pods of its regime"},
      {With("\"pods\": [\"many\"]", "\"choose_by\": [\"more\"]"),
       "stages[1].choose_by is \"[\\\"more\\\"]\"; it should be a part of the pods of its regime"},
      {With("\"fifo\"", "\"lifo\""),
       "living.train.settings[0].queue is \"\\\"lifo\\\"\"; it should "
       "be fifo or backfill"},
      {With("\"load\": 0.9}", "\"load\": 0}"), "living.train.settings[0].load is \"0\""},
      {With("[{\"queue\": \"fifo\", \"load\": 0.9}]", "[]"), "living.train.settings is \"[]\""},
      {With("\"length\": 3", "\"length\": 1"),
       "living.train.length is \"1\"; it should be a whole number from 2"},
      {With("[11, 11]", "[2, 11]"), "living.validate.seeds is \"[2,11]\""},
      {With("\"regime\": \"living\"", "\"regime\": \"dying\""),
       "stages[2].regime is \"\\\"dying\\\"\"; it should be packing, or living where"},
      {With("\"bestfit\"", "\"nobody\""),
       "stages[3].imitate is \"\\\"nobody\\\"\"; it should be a policy that can be simulated"},
      {With("\"blocks\": [\"common\"]", "\"blocks\": []"), "stages[3].blocks is \"[]\""},
      {With("\"updates\": 3", "\"updates\": 0"), "stages[4].updates is \"0\""},
      {With("\"temperature\": 0.05", "\"temperature\": 0"), "stages[4].temperature is \"0\""},
      {With("\"updates\": 3", "\"generations\": 3"), "unknown key \"generations\""},
      {With("{\"regime\": \"packing\", \"ppo\"", "{\"regime\": \"living\", \"ppo\""),
       "stages[4].regime is \"\\\"living\\\"\"; it should be packing, since this method"},
      {With("\"shrink\": 0.25", "\"shrink\": 1.5"),
       "stages[5].shrink is \"1.5\"; it should be a number from 0 to 1"},
      {With("\"shrink\": 0.25", "\"shrink\": 0.25, \"step\": 1"),
       "stages[5] has the unknown key \"step\""},
  };
  for (const Case& c : cases) {
    const auto recipe = ParseRecipe(c.recipe, "recipe.json");
    ASSERT_FALSE(recipe.ok()) << c.want;
    EXPECT_EQ(recipe.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(recipe.status().message()), HasSubstr("recipe.json: "));
    EXPECT_THAT(std::string(recipe.status().message()), HasSubstr(c.want));
  }
}

}  // namespace
}  // namespace berth
