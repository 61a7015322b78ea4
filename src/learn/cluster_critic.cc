#include "learn/cluster_critic.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/check.h"

namespace berth {
namespace {

constexpr size_t kInputs = ClusterCritic::kInputs;

// The two loads next to a load, and how much the second one counts.
struct Between {
  size_t below;
  double part;

  explicit Between(double load) {
    constexpr double kDistance = 0.1;
    const double at =
        std::clamp(load / kDistance, 0.0, static_cast<double>(ClusterCritic::kLoads - 1));
    below = std::min(static_cast<size_t>(at), ClusterCritic::kLoads - 2);
    part = at - static_cast<double>(below);
  }
};

// x of matrix x = target, where the matrix is symmetric and positive definite; both are
// overwritten. Method: Cholesky.
void SolveInPlace(std::span<double> matrix, std::span<double> target) {
  const size_t n = target.size();
  const auto at = [&](size_t row, size_t column) -> double& { return matrix[row * n + column]; };
  for (size_t row = 0; row < n; ++row) {
    for (size_t column = 0; column <= row; ++column) {
      double left = at(row, column);
      for (size_t k = 0; k < column; ++k) left -= at(row, k) * at(column, k);
      at(row, column) = row == column ? std::sqrt(left) : left / at(column, column);
    }
  }
  for (size_t row = 0; row < n; ++row) {
    for (size_t k = 0; k < row; ++k) target[row] -= at(row, k) * target[k];
    target[row] /= at(row, row);
  }
  for (size_t row = n; row-- > 0;) {
    for (size_t k = row + 1; k < n; ++k) target[row] -= at(k, row) * target[k];
    target[row] /= at(row, row);
  }
}

}  // namespace

ClusterCritic::ClusterCritic(const std::array<double, kStateFeatures>& units) : units_(units) {
  state_ = {.products = std::vector<double>(kLoads * kInputs * kInputs),
            .targets = std::vector<double>(kLoads * kInputs),
            .weights = std::vector<double>(kLoads * kInputs)};
}

double ClusterCritic::Value(double load, std::span<const float, kStateFeatures> summary) const {
  const Between between(load);
  const auto inputs = InputsOf(summary);
  const auto value_at = [&](size_t number) {
    return std::inner_product(inputs.begin(), inputs.end(), &state_.weights[number * kInputs], 0.0);
  };
  return (1 - between.part) * value_at(between.below) + between.part * value_at(between.below + 1);
}

void ClusterCritic::Fade(double keep) {
  for (double& product : state_.products) product *= keep;
  for (double& target : state_.targets) target *= keep;
}

void ClusterCritic::Add(double load, std::span<const float, kStateFeatures> summary, double came) {
  const Between between(load);
  const auto inputs = InputsOf(summary);
  for (const size_t next : {0, 1}) {
    const size_t number = between.below + next;
    const double counts = next == 0 ? 1 - between.part : between.part;
    double* const products = &state_.products[number * kInputs * kInputs];
    for (size_t row = 0; row < kInputs; ++row) {
      const double times = counts * inputs[row];
      for (size_t i = 0; i < kInputs; ++i) products[row * kInputs + i] += times * inputs[i];
      state_.targets[number * kInputs + row] += times * came;
    }
  }
}

void ClusterCritic::Solve() {
  constexpr double kRidge = 1e-5;
  state_.weights = state_.targets;
  for (size_t number = 0; number < kLoads; ++number) {
    const auto begin = state_.products.begin() + static_cast<ptrdiff_t>(number * kInputs * kInputs);
    std::vector<double> matrix(begin, begin + kInputs * kInputs);
    const double count = matrix.back();  // the last input is always 1
    for (size_t i = 0; i < kInputs; ++i) matrix[i * kInputs + i] += kRidge * (count + 1);
    SolveInPlace(matrix, std::span(state_.weights).subspan(number * kInputs, kInputs));
  }
}

void ClusterCritic::Restore(State state) {
  BERTH_CHECK(state.products.size() == state_.products.size() &&
                  state.targets.size() == state_.targets.size() &&
                  state.weights.size() == state_.weights.size(),
              "the state is a critic's");
  state_ = std::move(state);
}

std::array<double, kInputs> ClusterCritic::InputsOf(
    std::span<const float, kStateFeatures> summary) const {
  std::array<double, kInputs> inputs;
  for (size_t i = 0; i < kStateFeatures; ++i) {
    inputs[i] = units_[i] > 0 ? summary[i] / units_[i] : 0;
  }
  inputs.back() = 1;
  return inputs;
}

}  // namespace berth
