#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/rng.h"

namespace berth {

// An evolution strategy: looks for the point of the highest value around the origin, of a function
// that is known only by its values. Deterministic; not thread-safe.
//
// Source: MA-ES (Beyer and Sendhoff, "Simplify Your Covariance Matrix Adaptation Evolution
// Strategy", IEEE TEVC 2017), with candidates in mirrored pairs.
class Evolution {
 public:
  struct Settings {
    size_t dimensions = 0;
    size_t candidates = 0;  // of a generation; even, at least 4
    double step = 0;        // standard deviation of the first generation in each dimension
  };

  explicit Evolution(const Settings& settings);

  // The candidates of the next generation.
  const std::vector<std::vector<double>>& Ask(Rng& rng);
  // What those asked for last are worth, in their order. All finite.
  void Tell(std::span<const double> values);

  // The best guess so far.
  std::span<const double> mean() const { return state_.mean; }
  double step() const { return state_.step; }

  // All that the next generation depends on.
  struct State {
    std::vector<double> mean;
    double step = 0;
    std::vector<double> path;
    std::vector<double> shape;  // the matrix, row by row

    bool operator==(const State&) const = default;
  };
  const State& state() const { return state_; }
  // REQUIRES: it comes from an evolution with the same settings.
  void Restore(State state);

 private:
  std::vector<double> Shaped(std::span<const double> normal) const;
  void Reshape(std::span<const size_t> best);
  void AdaptStep();

  const size_t dimensions_;
  std::vector<double> weights_;  // of the best candidates, best first; sum up to 1
  double selection_mass_ = 0;
  double path_rate_ = 0, rank_one_rate_ = 0, rank_many_rate_ = 0;
  State state_;
  // Of the generation asked for last.
  std::vector<std::vector<double>> normals_, moves_, candidates_;
};

}  // namespace berth
