#include "learn/evolution.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/check.h"
#include "sim/draw.h"

namespace berth {
namespace {

std::vector<double> Negative(std::vector<double> values) {
  for (double& value : values) value = -value;
  return values;
}

// Positions by falling value; equal ones in their order.
std::vector<size_t> BestFirst(std::span<const double> values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater<>(), [&](size_t i) { return values[i]; });
  return order;
}

}  // namespace

Evolution::Evolution(const Settings& settings) : dimensions_(settings.dimensions) {
  BERTH_CHECK(settings.candidates >= 4 && settings.candidates % 2 == 0, "candidates come in pairs");
  const auto n = static_cast<double>(dimensions_);
  for (size_t rank = 1; rank <= settings.candidates / 2; ++rank) {
    weights_.push_back(std::log((static_cast<double>(settings.candidates) + 1) / 2) -
                       std::log(static_cast<double>(rank)));
  }
  const double sum = std::reduce(weights_.begin(), weights_.end());
  double squares = 0;
  for (double& weight : weights_) {
    weight /= sum;
    squares += weight * weight;
  }
  selection_mass_ = 1 / squares;
  const double mass = selection_mass_;
  path_rate_ = (mass + 2) / (n + mass + 5);
  rank_one_rate_ = 2 / ((n + 1.3) * (n + 1.3) + mass);
  rank_many_rate_ =
      std::min(1 - rank_one_rate_, 2 * (mass - 2 + 1 / mass) / ((n + 2) * (n + 2) + mass));
  normals_.resize(settings.candidates);
  state_ = {.mean = std::vector<double>(dimensions_),
            .step = settings.step,
            .path = std::vector<double>(dimensions_),
            .shape = std::vector<double>(dimensions_ * dimensions_)};
  for (size_t i = 0; i < dimensions_; ++i) state_.shape[i * dimensions_ + i] = 1;
}

void Evolution::Restore(State state) {
  BERTH_CHECK(state.mean.size() == dimensions_, "the state is of as many dimensions");
  state_ = std::move(state);
}

const std::vector<std::vector<double>>& Evolution::Ask(Rng& rng) {
  const size_t pairs = normals_.size() / 2;
  for (size_t i = 0; i < pairs; ++i) {
    normals_[i].resize(dimensions_);
    for (double& value : normals_[i]) value = DrawNormal(rng);
    normals_[pairs + i] = Negative(normals_[i]);
  }
  moves_.clear();
  for (size_t i = 0; i < pairs; ++i) moves_.push_back(Shaped(normals_[i]));
  for (size_t i = 0; i < pairs; ++i) moves_.push_back(Negative(moves_[i]));
  candidates_.assign(moves_.size(), state_.mean);
  for (size_t i = 0; i < moves_.size(); ++i) {
    for (size_t d = 0; d < dimensions_; ++d) candidates_[i][d] += state_.step * moves_[i][d];
  }
  return candidates_;
}

void Evolution::Tell(std::span<const double> values) {
  BERTH_CHECK(values.size() == candidates_.size(), "one value per candidate");
  std::vector<size_t> best = BestFirst(values);
  best.resize(weights_.size());
  std::vector<double> normal(dimensions_);
  for (size_t rank = 0; rank < best.size(); ++rank) {
    for (size_t d = 0; d < dimensions_; ++d) {
      state_.mean[d] += state_.step * weights_[rank] * moves_[best[rank]][d];
      normal[d] += weights_[rank] * normals_[best[rank]][d];
    }
  }
  const double keep = 1 - path_rate_;
  const double gain = std::sqrt(path_rate_ * (2 - path_rate_) * selection_mass_);
  for (size_t d = 0; d < dimensions_; ++d) {
    state_.path[d] = keep * state_.path[d] + gain * normal[d];
  }
  Reshape(best);
  AdaptStep();
}

std::vector<double> Evolution::Shaped(std::span<const double> normal) const {
  std::vector<double> shaped(dimensions_);
  for (size_t row = 0; row < dimensions_; ++row) {
    const double* const of_row = &state_.shape[row * dimensions_];
    shaped[row] = std::inner_product(normal.begin(), normal.end(), of_row, 0.0);
  }
  return shaped;
}

// M <- M (I + c1/2 (p p' - I) + cw/2 (sum w z z' - I)), row by row, as sums of outer products.
void Evolution::Reshape(std::span<const size_t> best) {
  const std::vector<double> path_shaped = Shaped(state_.path);
  const double keep = 1 - (rank_one_rate_ + rank_many_rate_) / 2;
  for (size_t row = 0; row < dimensions_; ++row) {
    double* const of_row = &state_.shape[row * dimensions_];
    for (size_t d = 0; d < dimensions_; ++d) {
      of_row[d] = keep * of_row[d] + rank_one_rate_ / 2 * path_shaped[row] * state_.path[d];
    }
    for (size_t rank = 0; rank < best.size(); ++rank) {
      const double times = rank_many_rate_ / 2 * weights_[rank] * moves_[best[rank]][row];
      for (size_t d = 0; d < dimensions_; ++d) of_row[d] += times * normals_[best[rank]][d];
    }
  }
}

// Longer where the way goes on in one direction, shorter where it turns back.
void Evolution::AdaptStep() {
  const double length =
      std::inner_product(state_.path.begin(), state_.path.end(), state_.path.begin(), 0.0);
  const double surprise = length / static_cast<double>(dimensions_) - 1;
  state_.step *= std::exp(path_rate_ / 2 * std::min(surprise, 1.0));
}

}  // namespace berth
