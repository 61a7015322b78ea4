#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace berth {

// Moves parameters down a gradient that differs from step to step. `Real` is float or double.
//
// Source: Kingma and Ba, "Adam: A Method for Stochastic Optimization", ICLR 2015; epsilon as PPO is
// commonly run.
template <class Real>
class Adam {
 public:
  // All that the next step depends on.
  struct State {
    int64_t steps = 0;
    std::vector<Real> mean;     // of the gradient
    std::vector<Real> squares;  // of the squared gradient

    bool operator==(const State&) const = default;
  };

  explicit Adam(size_t parameters)
      : state_{.mean = std::vector<Real>(parameters), .squares = std::vector<Real>(parameters)} {}

  // REQUIRES: as many of both as there are parameters; all of the gradient finite.
  void Step(std::span<const Real> gradient, double rate, std::span<Real> parameters);

  const State& state() const { return state_; }
  // REQUIRES: of as many parameters.
  void Restore(State state);

 private:
  State state_;
};

// Scales a gradient down to the length `most` where it is longer. Returns the length it had; where
// that is not finite, nothing is scaled.
template <class Real>
double ClipLength(double most, std::span<Real> gradient);

// From `rate` at the start straight down to 0 after `all` steps.
double Annealed(double rate, size_t done, size_t all);

}  // namespace berth
