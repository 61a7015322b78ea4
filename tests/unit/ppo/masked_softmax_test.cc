#include "ppo/masked_softmax.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/finite_difference.h"

namespace berth {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

std::vector<double> LogProbabilities(std::vector<double> logits) {
  EXPECT_TRUE(LogSoftmax(logits, logits));
  return logits;
}

TEST(MaskedSoftmax, IsWhatComesOutByHand) {
  struct Case {
    const char* what;
    std::vector<double> logits, probabilities;
  };
  const Case cases[] = {
      {"equal ones share", {2, 2}, {0.5, 0.5}},
      {"by their exponentials", {std::log(1), std::log(2), std::log(5)}, {0.125, 0.25, 0.625}},
      {"the masked get nothing", {0, kMasked, 0, kMasked}, {0.5, 0, 0.5, 0}},
      {"the only one gets all", {-7}, {1}},
      {"so does the only one left", {kMasked, 3, kMasked}, {0, 1, 0}},
      {"a thousand is not too much", {1000, 1000 + std::log(3)}, {0.25, 0.75}},
      {"nor too little", {-5000, -5000 + std::log(3)}, {0.25, 0.75}},
      {"nor too far apart", {0, -2000}, {1, 0}},
  };
  for (const Case& c : cases) {
    const std::vector<double> log_p = LogProbabilities(c.logits);
    for (size_t i = 0; i < log_p.size(); ++i) {
      EXPECT_NEAR(std::exp(log_p[i]), c.probabilities[i], 1e-12) << c.what << ", " << i;
    }
  }
}

TEST(MaskedSoftmax, ThereMayBeNothingToChooseFrom) {
  std::vector<double> untouched = {1, 2};
  EXPECT_FALSE(LogSoftmax(std::vector<double>{kMasked, kMasked}, untouched));
  EXPECT_FALSE(LogSoftmax({}, {}));
  EXPECT_THAT(untouched, ElementsAre(1, 2));
}

// Log-probabilities stay finite where probabilities would have become 0.
TEST(MaskedSoftmax, AnUnlikelyCandidateIsNotAMaskedOne) {
  const std::vector<double> log_p = LogProbabilities({0, -2000});
  EXPECT_EQ(log_p[1], -2000);
  EXPECT_EQ(Entropy(log_p), 0);
}

TEST(MaskedSoftmax, AGroupCountsAsItsMembersTogether) {
  const std::vector<double> apart = LogProbabilities({1, 1, 1, 0.5, 0.5});
  const std::vector<double> grouped = LogProbabilities({GroupLogit(1, 3), GroupLogit(0.5, 2)});
  EXPECT_NEAR(std::exp(grouped[0]), 3 * std::exp(apart[0]), 1e-12);
  EXPECT_NEAR(std::exp(grouped[1]), 2 * std::exp(apart[3]), 1e-12);
  EXPECT_EQ(GroupLogit(kMasked, 4), kMasked);
}

TEST(MaskedSoftmax, EntropyIsOfWhatCanBeChosen) {
  EXPECT_DOUBLE_EQ(Entropy(LogProbabilities({0, 0, 0, 0})), std::log(4));
  EXPECT_DOUBLE_EQ(Entropy(LogProbabilities({0, kMasked, 0, kMasked})), std::log(2));
  EXPECT_EQ(Entropy(LogProbabilities({kMasked, 5})), 0);
}

TEST(MaskedSoftmax, ItsGradientsAreThoseOfFiniteDifferences) {
  const std::vector<double> logits = {0.3, -1.2, kMasked, 2, 0.4};
  const std::vector<double> log_p = LogProbabilities(logits);
  std::vector<double> of_choice(5), of_entropy(5);
  AddLogProbabilityGradient(log_p, 1, 3, of_choice);
  AddEntropyGradient(log_p, 3, of_entropy);
  const auto choice = [](const std::vector<double>& x) { return 3 * LogProbabilities(x)[1]; };
  const auto entropy = [](const std::vector<double>& x) {
    return 3 * Entropy(LogProbabilities(x));
  };
  EXPECT_THAT(of_choice, Pointwise(DoubleNear(1e-7), Derivatives(choice, logits)));
  EXPECT_THAT(of_entropy, Pointwise(DoubleNear(1e-7), Derivatives(entropy, logits)));
}

TEST(MaskedSoftmax, DrawsAsOftenAsTheProbabilitiesSayAndNeverWhatIsMasked) {
  const std::vector<double> log_p = LogProbabilities({kMasked, 0, std::log(3), kMasked});
  Rng rng(1);
  std::vector<double> drawn(4);
  constexpr int kDraws = 100'000;
  for (int i = 0; i < kDraws; ++i) drawn[DrawCandidate(log_p, rng)] += 1.0 / kDraws;
  EXPECT_EQ(drawn[0] + drawn[3], 0);
  EXPECT_NEAR(drawn[1], 0.25, 0.01);
  EXPECT_EQ(Likeliest(log_p), 2);
}

}  // namespace
}  // namespace berth
