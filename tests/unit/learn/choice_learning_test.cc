#include "learn/choice_learning.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ppo/masked_softmax.h"
#include "sim/draw.h"
#include "support/finite_difference.h"

namespace berth {
namespace {

using ::testing::HasSubstr;

const std::vector<WeightBlock> kBlocks = {{}, {.number = MixNumber::kShares}};

NodeChoice DrawChoice(size_t candidates, PodKind kind, float shares, Rng& rng) {
  NodeChoice choice{.kind = kind, .chosen = static_cast<uint32_t>(DrawBelow(rng, candidates))};
  choice.mix[static_cast<size_t>(MixNumber::kShares)] = shares;
  choice.features.resize(candidates);
  for (ChoiceFeatures& features : choice.features) {
    choice.scores.push_back(static_cast<float>(DrawNormal(rng)));
    for (float& feature : features) feature = static_cast<float>(DrawNormal(rng));
  }
  return choice;
}

std::vector<NodeChoice> DrawChoices(Rng& rng) {
  return {DrawChoice(2, PodKind::kOneGpu, 0, rng), DrawChoice(5, PodKind::kNoGpu, 1, rng),
          DrawChoice(3, PodKind::kOneGpu, -0.5, rng)};
}

std::vector<ChoiceLesson> LessonsOf(const std::vector<NodeChoice>& choices, double temperature) {
  std::vector<ChoiceLesson> lessons;
  double advantage = 1;
  for (const NodeChoice& choice : choices) {
    const double log_p = choice.LogProbabilities(ChoiceWeights{}, temperature)[choice.chosen];
    lessons.push_back({&choice, log_p, advantage});
    advantage = -1.5 * advantage;
  }
  return lessons;
}

TEST(ChoiceFeatures, AreTheChangeAndTheValueInTheirScales) {
  FeatureScales scales;
  scales.change[1] = 2;
  scales.after[1] = 4;
  StateFeatures before{}, after{};
  before[0] = 5;
  before[1] = 1;
  after[1] = 9;
  const ChoiceFeatures features = ChoiceFeaturesOf(before, after, scales);
  EXPECT_EQ(features[0], 0) << "a feature that never varies is left out";
  EXPECT_EQ(features[2], 4);
  EXPECT_EQ(features[3], 2.25);
}

// The same as what the policy's scores are moved by (learn/weight_block.h).
TEST(ChoiceFeatures, MovedParametersMoveTheScoresAsTheyMoveThePolicys) {
  Rng rng(1);
  FeatureScales scales;
  for (double& scale : scales.change) scale = 0.5 + DrawUnit(rng);
  for (double& scale : scales.after) scale = 0.5 + DrawUnit(rng);
  StateFeatures before, after;
  for (float& feature : before) feature = static_cast<float>(DrawNormal(rng));
  for (float& feature : after) feature = static_cast<float>(DrawNormal(rng));
  std::vector<double> parameters(kBlocks.size() * kBlockParameters);
  for (double& parameter : parameters) parameter = DrawNormal(rng);
  MixNumbers mix{};
  mix[static_cast<size_t>(MixNumber::kShares)] = 0.7F;
  const LearnedPolicy moved = Moved({}, kBlocks, scales, parameters);
  const ChoiceWeights weights = WeightsMovedBy(parameters, kBlocks, mix);
  const ChoiceFeatures features = ChoiceFeaturesOf(before, after, scales);
  for (size_t kind = 0; kind < kPodKinds; ++kind) {
    double want = 0, by_choice = 0;
    const StateWeights& common = moved.packing.common[kind];
    const StateWeights& shares =
        moved.packing.of_number[static_cast<size_t>(MixNumber::kShares)][kind];
    for (size_t i = 0; i < kStateFeatures; ++i) {
      want += (common.before[i] + mix[1] * shares.before[i]) * before[i];
      want += (common.after[i] + mix[1] * shares.after[i]) * after[i];
    }
    for (size_t i = 0; i < kChoiceFeatures; ++i) by_choice += weights[kind][i] * features[i];
    EXPECT_NEAR(by_choice, want, 1e-4);
  }
}

// With logits of its score, a candidate's probability grows by its features less the expected ones.
TEST(NodeChoice, ItsGradientIsTheFeaturesLessTheExpectedOnes) {
  Rng rng(2);
  const NodeChoice choice = DrawChoice(3, PodKind::kNoGpu, 0, rng);
  const auto log_p = choice.LogProbabilities(ChoiceWeights{}, 0.5);
  std::vector<double> per_logit(3);
  AddLogProbabilityGradient(log_p, choice.chosen, 1, per_logit);
  ChoiceWeights gradient{};
  choice.AddWeightGradient(per_logit, 0.5, gradient);
  for (size_t f = 0; f < kChoiceFeatures; ++f) {
    double expected = 0;
    for (size_t i = 0; i < 3; ++i) expected += std::exp(log_p[i]) * choice.features[i][f];
    EXPECT_NEAR(gradient[0][f], (choice.features[choice.chosen][f] - expected) / 0.5, 1e-9);
    EXPECT_EQ(gradient[1][f], 0) << "of another kind of pod";
  }
}

TEST(ChoiceLoss, ItsGradientIsThatOfFiniteDifferences) {
  Rng rng(3);
  const std::vector<NodeChoice> choices = DrawChoices(rng);
  std::vector<double> moved(kBlocks.size() * kBlockParameters);
  for (double& move : moved) move = 0.01 * DrawNormal(rng);
  for (const ChoiceLoss kind : {ChoiceLoss::kPpo, ChoiceLoss::kImitation}) {
    const ChoiceLearningSettings settings{
        .loss = kind, .temperature = 0.8, .entropy_weight = kind == ChoiceLoss::kPpo ? 0.3 : 0};
    const std::vector<ChoiceLesson> lessons = LessonsOf(choices, 0.8);
    const auto loss = [&](const std::vector<double>& at) {
      ChoiceLearningReport sums;
      std::vector<double> ignored(moved.size());
      AddChoiceLoss(lessons, kBlocks, settings, at, ignored, sums);
      return (sums.loss - settings.entropy_weight * sums.entropy) / 3;
    };
    std::vector<double> gradient(moved.size());
    ChoiceLearningReport sums;
    AddChoiceLoss(lessons, kBlocks, settings, moved, gradient, sums);
    const std::vector<double> want = Derivatives(loss, moved);
    for (size_t i = 0; i < want.size(); ++i) ASSERT_NEAR(gradient[i], want[i], 1e-6) << i;
  }
}

// An expert that prefers the sum of two features can be followed to the letter.
TEST(LearnFromChoices, FollowsAnExpertThatTheFormCanTell) {
  Rng rng(4);
  std::vector<NodeChoice> choices;
  for (int i = 0; i < 400; ++i) {
    NodeChoice choice = DrawChoice(4, PodKind::kOneGpu, 0, rng);
    choice.scores.assign(4, 0);
    for (uint32_t c = 0; c < 4; ++c) {
      const auto value = [&](uint32_t at) {
        return choice.features[at][6] + choice.features[at][9];
      };
      if (value(c) > value(choice.chosen)) choice.chosen = c;
    }
    choices.push_back(std::move(choice));
  }
  const ChoiceLearningSettings settings{
      .loss = ChoiceLoss::kImitation, .temperature = 0.1, .epochs = 40, .minibatch = 50};
  std::vector<double> parameters(kBlocks.size() * kBlockParameters);
  Adam<double> adam(parameters.size());
  const auto report =
      LearnFromChoices(LessonsOf(choices, 0.1), kBlocks, settings, 0.01, parameters, adam, rng);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_GT(report->agreement, 0.95);
  EXPECT_LT(report->loss, 0.3);
  EXPECT_EQ(parameters[0], 0) << "the weights of other kinds of pods stay";
}

TEST(LearnFromChoices, MakesGoodChoicesLikelierAndEndsWhereItHasGoneFar) {
  Rng rng(5);
  const std::vector<NodeChoice> choices = DrawChoices(rng);
  const std::vector<ChoiceLesson> lessons = LessonsOf(choices, 1);
  std::vector<double> parameters(kBlocks.size() * kBlockParameters), held = parameters;
  Adam<double> adam(parameters.size()), other(parameters.size());
  ChoiceLearningSettings settings{.temperature = 1, .epochs = 50, .most_divergence = 1e9};
  ASSERT_TRUE(LearnFromChoices(lessons, kBlocks, settings, 1e-3, parameters, adam, rng).ok());
  settings.most_divergence = 1e-6;
  ASSERT_TRUE(LearnFromChoices(lessons, kBlocks, settings, 1e-3, held, other, rng).ok());
  EXPECT_LT(other.state().steps, adam.state().steps);
  for (const ChoiceLesson& lesson : lessons) {
    const auto moved = WeightsMovedBy(parameters, kBlocks, lesson.choice->mix);
    const double now = lesson.choice->LogProbabilities(moved, 1)[lesson.choice->chosen];
    EXPECT_EQ(now > lesson.log_probability, lesson.advantage > 0);
  }
}

TEST(LearnFromChoices, NamesWhatIsNotFinite) {
  Rng rng(6);
  std::vector<NodeChoice> choices = DrawChoices(rng);
  choices[0].features[1][7] = std::numeric_limits<float>::infinity();
  std::vector<double> parameters(kBlocks.size() * kBlockParameters);
  Adam<double> adam(parameters.size());
  const auto report =
      LearnFromChoices(LessonsOf(choices, 1), kBlocks, {}, 1e-3, parameters, adam, rng);
  EXPECT_EQ(report.status().code(), absl::StatusCode::kInternal);
  EXPECT_THAT(std::string(report.status().message()), HasSubstr("gradient"));
}

}  // namespace
}  // namespace berth
