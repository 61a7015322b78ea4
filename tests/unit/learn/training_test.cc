#include "learn/training.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "small_training.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::vector<GenerationReport> RunToTheEnd(Training& training) {
  std::vector<GenerationReport> reports;
  while (!training.done()) {
    const auto report = training.Advance();
    EXPECT_TRUE(report.ok()) << report.status();
    if (!report.ok()) break;
    reports.push_back(*report);
  }
  return reports;
}

class TrainingTest : public testing::Test {
 protected:
  const Recipe recipe_ = SmallRecipe();
  const TrainingData data_ = SmallData(recipe_);
};

TEST_F(TrainingTest, GoesThroughItsStagesAndKeepsTheBest) {
  Training training(recipe_, data_, 1);
  EXPECT_EQ(training.best(), FgdBestFitAsLearned("small"));
  const auto reports = RunToTheEnd(training);
  ASSERT_THAT(reports, SizeIs(13));
  const size_t stages[] = {1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5, 6};
  PerRegime<double> best;
  for (const Regime regime : kRegimes) best[regime] = -std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < reports.size(); ++i) {
    const GenerationReport& report = reports[i];
    EXPECT_EQ(report.generations_done, i + 1);
    EXPECT_EQ(report.stage, stages[i]);
    EXPECT_EQ(report.generation, 1 + std::count(stages, stages + i, report.stage));
    EXPECT_EQ(report.regime, recipe_.stages[report.stage - 1].regime);
    EXPECT_EQ(report.evolution.has_value(), report.stage <= 3);
    EXPECT_EQ(report.gradient.has_value(), report.stage == 4 || report.stage == 5);
    if (report.evolution) {
      EXPECT_GE(report.evolution->best_points, report.evolution->mean_points);
    }
    // The first generation of a regime validates the heuristic, so that nothing worse is ever kept.
    EXPECT_TRUE(report.validation.has_value());
    if (report.is_best) best[report.regime] = report.validation->points;
  }
  for (const Regime regime : kRegimes) {
    EXPECT_EQ(training.best_validation(regime)->points, best[regime]);
    EXPECT_THAT(training.best_validation(regime)->of_pods, SizeIs(recipe_.PodsOf(regime).size()));
  }
  EXPECT_GE(best[Regime::kPacking], 0) << "the heuristic plays as itself";
}

TEST_F(TrainingTest, ShrinksWhateverTheValidationSays) {
  Training training(recipe_, data_, 1);
  Training::State state = training.state();
  state.stage = 5;
  state.base.living.common[0].after[0] = 8;
  state.base.packing.common[0].after[0] = 8;
  state.best_validation[Regime::kLiving] = Validation{.points = 1e9};
  training.Restore(state);
  const GenerationReport report = training.Advance().value();
  EXPECT_TRUE(training.done());
  EXPECT_TRUE(report.is_best);
  const double start = FgdBestFitAsLearned("small").living.common[0].after[0];
  EXPECT_EQ(training.best().living.common[0].after[0], start + (8 - start) / 4);
  EXPECT_EQ(training.best().packing, state.base.packing);
  EXPECT_EQ(training.best_validation(Regime::kLiving), report.validation);
}

TEST_F(TrainingTest, ChoosesByTheListsThatAStageNames) {
  Recipe recipe = recipe_;
  recipe.stages[0].choose_by = {"many"};
  Training training(recipe, data_, 1);
  double best = -std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < recipe.stages[0].generations; ++i) {
    const GenerationReport report = training.Advance().value();
    if (!report.validation) continue;
    ASSERT_THAT(report.validation->of_pods, SizeIs(2)) << "all are looked at";
    EXPECT_EQ(report.is_best, report.validation->of_pods[1] > best);
    best = std::max(best, report.validation->of_pods[1]);
  }
  EXPECT_EQ(training.best_validation(Regime::kPacking)->of_pods[1], best);
}

TEST_F(TrainingTest, ADifferentNumberOfThreadsMakesTheSamePolicy) {
  Training one(recipe_, data_, 1), three(recipe_, data_, 3);
  RunToTheEnd(one);
  RunToTheEnd(three);
  EXPECT_EQ(one.state(), three.state());
}

TEST_F(TrainingTest, GoesOnFromAnyGenerationAsIfNothingHadHappened) {
  Training whole(recipe_, data_, 1);
  std::vector<Training::State> states;
  while (!whole.done()) {
    states.push_back(whole.state());
    ASSERT_TRUE(whole.Advance().ok());
  }
  for (const Training::State& state : states) {
    Training resumed(recipe_, data_, 1);
    resumed.Restore(state);
    RunToTheEnd(resumed);
    EXPECT_EQ(resumed.state(), whole.state());
  }
}

TEST_F(TrainingTest, AnotherSeedMakesAnotherPolicy) {
  Recipe other = recipe_;
  other.seed = 4;
  Training a(recipe_, data_, 1), b(other, data_, 1);
  ASSERT_TRUE(a.Advance().ok() && b.Advance().ok());
  EXPECT_NE(a.state().evolution, b.state().evolution);
}

TEST_F(TrainingTest, AStageTrainsItsOwnWeightsOnly) {
  Training training(recipe_, data_, 1);
  Training::State state = training.state();
  state.stage = 1;
  training.Restore(state);
  while (training.state().stage == 1) ASSERT_TRUE(training.Advance().ok());
  const LearnedPolicy start = FgdBestFitAsLearned("small");
  EXPECT_EQ(training.best().packing.common, start.packing.common);
  EXPECT_EQ(training.best().living, start.living);
  EXPECT_EQ(training.best().packing.of_number[2], start.packing.of_number[2]);
}

TEST_F(TrainingTest, ANumberThatIsNotFiniteStopsAGradientMethodToo) {
  Training training(recipe_, data_, 1);
  Training::State broken = training.state();
  broken.stage = 4;
  broken.gradient = InitialPackingPpo(2);
  broken.gradient->parameters[0] = std::numeric_limits<double>::quiet_NaN();
  training.Restore(broken);
  const auto report = training.Advance();
  ASSERT_FALSE(report.ok());
  EXPECT_THAT(std::string(report.status().message()), HasSubstr("stage 5, generation 1: "));
  EXPECT_THAT(std::string(report.status().message()), HasSubstr("not finite"));
}

TEST_F(TrainingTest, ANumberThatIsNotFiniteStopsItWithTheGenerationNamed) {
  Training training(recipe_, data_, 1);
  ASSERT_TRUE(training.Advance().ok());
  Training::State broken = training.state();
  broken.evolution->mean[0] = std::numeric_limits<double>::quiet_NaN();
  training.Restore(broken);
  const auto report = training.Advance();
  ASSERT_FALSE(report.ok());
  EXPECT_THAT(std::string(report.status().message()), HasSubstr("stage 1, generation 2: "));
  EXPECT_THAT(std::string(report.status().message()), HasSubstr("not finite"));
  EXPECT_EQ(training.best(), broken.best) << "the best so far is kept";
}

}  // namespace
}  // namespace berth
