#include "ppo/adam.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;

// The first step goes `rate` far along each axis, however steep it is.
TEST(Adam, TheFirstTwoStepsAreWhatComesOutByHand) {
  Adam<double> adam(2);
  std::vector<double> x = {1, 1};
  adam.Step(std::vector<double>{4, -0.5}, 0.1, x);
  EXPECT_NEAR(x[0], 1 - 0.1 * 4 / (4 + 1e-5), 1e-12);
  EXPECT_NEAR(x[1], 1 + 0.1 * 0.5 / (0.5 + 1e-5), 1e-12);
  const double first = x[0];
  adam.Step(std::vector<double>{2, 0}, 0.1, x);
  const double mean = (0.9 * 0.1 * 4 + 0.1 * 2) / (1 - 0.9 * 0.9);
  const double squares = (0.999 * 0.001 * 16 + 0.001 * 4) / (1 - 0.999 * 0.999);
  EXPECT_NEAR(x[0], first - 0.1 * mean / (std::sqrt(squares) + 1e-5), 1e-12);
}

TEST(Adam, GoesDownToTheBottomOfANarrowValley) {
  Adam<double> adam(2);
  std::vector<double> x = {4, -3};
  for (int i = 0; i < 4000; ++i) {
    adam.Step(std::vector<double>{2 * (x[0] - 1), 200 * (x[1] - 2)}, Annealed(0.1, i, 4000), x);
  }
  EXPECT_NEAR(x[0], 1, 1e-3);
  EXPECT_NEAR(x[1], 2, 1e-3);
}

TEST(Adam, GoesOnFromASavedStateAsIfNothingHadHappened) {
  Adam<float> whole(1), resumed(1);
  std::vector<float> x = {4}, y;
  const auto step = [](Adam<float>& adam, std::vector<float>& at) {
    adam.Step(std::vector<float>{2 * at[0]}, 0.1, at);
  };
  for (int i = 0; i < 10; ++i) {
    if (i == 4) {
      resumed.Restore(whole.state());
      y = x;
    }
    step(whole, x);
    if (i >= 4) step(resumed, y);
  }
  EXPECT_EQ(x, y);
  EXPECT_EQ(whole.state(), resumed.state());
}

TEST(ClipLength, ShortensWhatIsTooLongAndTellsHowLongItWas) {
  std::vector<float> gradient = {3, 4};
  EXPECT_EQ(ClipLength<float>(10, gradient), 5);
  EXPECT_THAT(gradient, ElementsAre(3, 4));
  EXPECT_EQ(ClipLength<float>(0.5, gradient), 5);
  EXPECT_THAT(gradient, ElementsAre(FloatNear(0.3F, 1e-6), FloatNear(0.4F, 1e-6)));
}

TEST(ClipLength, LeavesWhatIsNotFiniteToBeSeen) {
  std::vector<double> gradient = {3, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_TRUE(std::isnan(ClipLength<double>(0.5, gradient)));
  EXPECT_EQ(gradient[0], 3);
}

TEST(Annealed, GoesDownInAStraightLine) {
  EXPECT_EQ(Annealed(0.4, 0, 8), 0.4);
  EXPECT_EQ(Annealed(0.4, 2, 8), 0.4 * 0.75);
  EXPECT_EQ(Annealed(0.4, 8, 8), 0);
}

}  // namespace
}  // namespace berth
