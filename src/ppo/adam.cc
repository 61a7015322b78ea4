#include "ppo/adam.h"

#include <cmath>
#include <utility>

#include "base/check.h"

namespace berth {

template <class Real>
void Adam<Real>::Step(std::span<const Real> gradient, double rate, std::span<Real> parameters) {
  BERTH_CHECK(gradient.size() == state_.mean.size() && parameters.size() == state_.mean.size(),
              "one of each per parameter");
  constexpr double kKeepMean = 0.9, kKeepSquares = 0.999;
  constexpr Real kEpsilon = 1e-5;
  const auto steps = static_cast<double>(++state_.steps);
  const auto step = static_cast<Real>(rate / (1 - std::pow(kKeepMean, steps)));
  const auto unbias = static_cast<Real>(1 / std::sqrt(1 - std::pow(kKeepSquares, steps)));
  for (size_t i = 0; i < gradient.size(); ++i) {
    Real& mean = state_.mean[i];
    Real& squares = state_.squares[i];
    mean += static_cast<Real>(1 - kKeepMean) * (gradient[i] - mean);
    squares += static_cast<Real>(1 - kKeepSquares) * (gradient[i] * gradient[i] - squares);
    parameters[i] -= step * mean / (std::sqrt(squares) * unbias + kEpsilon);
  }
}

template <class Real>
void Adam<Real>::Restore(State state) {
  BERTH_CHECK(state.mean.size() == state_.mean.size(), "the state is of as many parameters");
  state_ = std::move(state);
}

template <class Real>
double ClipLength(double most, std::span<Real> gradient) {
  double squares = 0;
  for (const Real value : gradient) squares += static_cast<double>(value) * value;
  const double length = std::sqrt(squares);
  if (!(length > most) || !std::isfinite(length)) return length;
  for (Real& value : gradient) value *= static_cast<Real>(most / length);
  return length;
}

double Annealed(double rate, size_t done, size_t all) {
  return rate * (1 - static_cast<double>(done) / static_cast<double>(all));
}

template class Adam<float>;
template class Adam<double>;
template double ClipLength(double, std::span<float>);
template double ClipLength(double, std::span<double>);

}  // namespace berth
