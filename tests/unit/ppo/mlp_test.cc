#include "ppo/mlp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ppo/matrix.h"
#include "sim/draw.h"
#include "support/finite_difference.h"

namespace berth {
namespace {

using ::testing::ElementsAre;

std::vector<float> DrawNumbers(size_t count, Rng& rng) {
  std::vector<float> numbers(count);
  for (float& number : numbers) number = static_cast<float>(DrawNormal(rng));
  return numbers;
}

TEST(Matrix, ProductsAreThoseOfTheSchoolbook) {
  std::vector<float> sum = {100, 0, 0, 0};
  AddProduct(2, 2, std::vector<float>{1, 2, 3, 4, 5, 6}, std::vector<float>{1, 0, 0, 1, 2, 2}, sum);
  EXPECT_THAT(sum, ElementsAre(100 + 1 + 6, 2 + 6, 4 + 12, 5 + 12));
  EXPECT_THAT(Transposed(2, std::vector<float>{1, 2, 3, 4, 5, 6}), ElementsAre(1, 4, 2, 5, 3, 6));
}

TEST(Matrix, ProductsOfEverySizeAreRight) {
  Rng rng(1);
  for (const size_t rows : {1, 3, 4, 9}) {
    for (const size_t inner : {1, 5, 8}) {
      for (const size_t columns : {1, 7, 8, 19}) {
        const auto a = DrawNumbers(rows * inner, rng), b = DrawNumbers(inner * columns, rng);
        std::vector<float> sum(rows * columns);
        AddProduct(rows, columns, a, b, sum);
        for (size_t i = 0; i < sum.size(); ++i) {
          double want = 0;
          for (size_t k = 0; k < inner; ++k) {
            want += a[i / columns * inner + k] * b[k * columns + i % columns];
          }
          EXPECT_NEAR(sum[i], want, 1e-5) << rows << " x " << inner << " x " << columns;
        }
      }
    }
  }
}

TEST(Matrix, TanhIsTanh) {
  std::vector<float> x;
  for (float at = -20; at <= 20; at += 0.01F) x.push_back(at);
  std::vector<float> y = x;
  TanhEach(y);
  for (size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(y[i], std::tanh(x[i]), 1e-5) << x[i];
    EXPECT_LE(std::abs(y[i]), 1);
  }
}

TEST(Mlp, DoesWhatItsLayersSay) {
  const Mlp net(1, 1, 2);
  ASSERT_EQ(net.parameters(), 2 + 2 + 4);
  const std::vector<float> parameters = {2, 0.5, -1, 0.25, 3, 4, 10, 20};
  Mlp::Pass pass;
  net.Forward(parameters, std::vector<float>{0.1F, -0.3F}, pass);
  for (const size_t row : {0, 1}) {
    const double x = row == 0 ? 0.1 : -0.3;
    const double hidden = std::tanh(0.25 - std::tanh(0.5 + 2 * x));
    EXPECT_NEAR(pass.outputs()[2 * row], 10 + 3 * hidden, 1e-4);
    EXPECT_NEAR(pass.outputs()[2 * row + 1], 20 + 4 * hidden, 1e-4);
  }
}

// Of a loss that weighs every output of every row.
TEST(Mlp, ItsGradientIsThatOfFiniteDifferences) {
  Rng rng(2);
  const Mlp net(3, 8, 2);
  const std::vector<float> parameters = net.DrawParameters(1, rng),
                           inputs = DrawNumbers(5 * 3, rng);
  const std::vector<float> weights = DrawNumbers(5 * 2, rng);
  Mlp::Pass pass;
  const auto loss = [&](const std::vector<double>& at) {
    net.Forward(std::vector<float>(at.begin(), at.end()), inputs, pass);
    double sum = 0;
    for (size_t i = 0; i < weights.size(); ++i) sum += weights[i] * pass.outputs()[i];
    return sum;
  };
  const std::vector<double> at(parameters.begin(), parameters.end());
  const std::vector<double> want = Derivatives(loss, at, 3e-3);
  std::vector<float> gradient(parameters.size());
  net.Forward(parameters, inputs, pass);
  net.Backward(parameters, inputs, pass, weights, gradient);
  for (size_t i = 0; i < want.size(); ++i) {
    EXPECT_NEAR(gradient[i], want[i], 2e-3) << net.TensorOf(i);
  }
}

TEST(Mlp, StartsWithOrthogonalWeightsAndNoBiases) {
  Rng rng(3);
  const Mlp net(5, 64, 4);
  const std::vector<float> drawn = net.DrawParameters(0.01, rng);
  const auto product = [&](size_t a, size_t b, size_t stride, size_t size) {
    double sum = 0;
    for (size_t i = 0; i < size; ++i) sum += drawn[a + i * stride] * drawn[b + i * stride];
    return sum;
  };
  EXPECT_NEAR(product(0, 0, 1, 64), 2, 1e-5) << "gain sqrt 2";
  EXPECT_NEAR(product(0, 64, 1, 64), 0, 1e-5);
  const size_t last = 5 * 64 + 64 + 64 * 64 + 64;
  EXPECT_NEAR(product(last, last, 4, 64), 1e-4, 1e-8) << "gain 0.01";
  EXPECT_NEAR(product(last, last + 1, 4, 64), 0, 1e-8);
  for (size_t i = 0; i < drawn.size(); ++i) {
    if (net.TensorOf(i).ends_with("biases")) {
      EXPECT_EQ(drawn[i], 0);
    }
  }
  EXPECT_EQ(net.TensorOf(0), "layer 1 weights");
  EXPECT_EQ(net.TensorOf(drawn.size() - 1), "layer 3 biases");
}

}  // namespace
}  // namespace berth
