#include "ppo/mlp.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "base/check.h"
#include "ppo/matrix.h"
#include "sim/draw.h"

namespace berth {
namespace {

using Vector = std::vector<double>;

double Product(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Of length 1 each and at right angles to each other. Method: Gram and Schmidt. REQUIRES: no more
// than their size.
std::vector<Vector> DrawOrthogonal(size_t count, size_t size, Rng& rng) {
  std::vector<Vector> vectors;
  while (vectors.size() < count) {
    Vector vector(size);
    for (double& x : vector) x = DrawNormal(rng);
    for (const Vector& other : vectors) {
      const double along = Product(vector, other);
      for (size_t i = 0; i < size; ++i) vector[i] -= along * other[i];
    }
    const double length = std::sqrt(Product(vector, vector));
    for (double& x : vector) x /= length;
    vectors.push_back(std::move(vector));
  }
  return vectors;
}

// Every row the biases.
std::vector<float> Repeated(std::span<const float> biases, size_t rows) {
  std::vector<float> repeated;
  repeated.reserve(biases.size() * rows);
  for (size_t i = 0; i < rows; ++i) repeated.insert(repeated.end(), biases.begin(), biases.end());
  return repeated;
}

void AddColumnSums(std::span<const float> matrix, std::span<float> sums) {
  for (size_t begin = 0; begin < matrix.size(); begin += sums.size()) {
    for (size_t i = 0; i < sums.size(); ++i) sums[i] += matrix[begin + i];
  }
}

}  // namespace

Mlp::Mlp(size_t inputs, size_t hidden, size_t outputs) {
  const std::pair<size_t, size_t> sizes[] = {{inputs, hidden}, {hidden, hidden}, {hidden, outputs}};
  for (const auto& [from, to] : sizes) {
    const size_t biases = parameters_ + from * to;
    layers_.push_back({from, to, parameters_, biases, biases + to});
    parameters_ = layers_.back().end;
  }
}

std::vector<float> Mlp::DrawParameters(double last_gain, Rng& rng) const {
  std::vector<float> parameters(parameters_);
  for (const Layer& layer : layers_) {
    const double gain = &layer == &layers_.back() ? last_gain : std::numbers::sqrt2;
    const bool by_input = layer.inputs <= layer.outputs;
    const auto vectors = DrawOrthogonal(std::min(layer.inputs, layer.outputs),
                                        std::max(layer.inputs, layer.outputs), rng);
    for (size_t i = 0; i < layer.inputs; ++i) {
      for (size_t o = 0; o < layer.outputs; ++o) {
        const double x = by_input ? vectors[i][o] : vectors[o][i];
        parameters[layer.weights + i * layer.outputs + o] = static_cast<float>(gain * x);
      }
    }
  }
  return parameters;
}

void Mlp::Forward(std::span<const float> parameters, std::span<const float> inputs,
                  Pass& pass) const {
  const size_t rows = inputs.size() / this->inputs();
  pass.of_layers.resize(layers_.size());
  for (size_t i = 0; i < layers_.size(); ++i) {
    const Layer& layer = layers_[i];
    const std::span<const float> from = i == 0 ? inputs : pass.of_layers[i - 1];
    std::vector<float>& to = pass.of_layers[i];
    to = Repeated(parameters.subspan(layer.biases, layer.outputs), rows);
    AddProduct(rows, layer.outputs, from,
               parameters.subspan(layer.weights, layer.biases - layer.weights), to);
    if (i + 1 < layers_.size()) TanhEach(to);
  }
}

void Mlp::Backward(std::span<const float> parameters, std::span<const float> inputs,
                   const Pass& pass, std::vector<float> per_output,
                   std::span<float> gradient) const {
  const size_t rows = inputs.size() / this->inputs();
  for (size_t i = layers_.size(); i-- > 0;) {
    const Layer& layer = layers_[i];
    const std::span<const float> from = i == 0 ? inputs : pass.of_layers[i - 1];
    const size_t weights = layer.biases - layer.weights;
    AddColumnSums(per_output, gradient.subspan(layer.biases, layer.outputs));
    AddProduct(layer.inputs, layer.outputs, Transposed(rows, from), per_output,
               gradient.subspan(layer.weights, weights));
    if (i == 0) return;
    std::vector<float> per_input(from.size());
    AddProduct(rows, layer.inputs, per_output,
               Transposed(layer.inputs, parameters.subspan(layer.weights, weights)), per_input);
    for (size_t j = 0; j < from.size(); ++j) per_input[j] *= 1 - from[j] * from[j];  // of tanh
    per_output = std::move(per_input);
  }
}

std::string Mlp::TensorOf(size_t parameter) const {
  size_t number = 0;
  while (parameter >= layers_[number].end) ++number;
  const bool is_weight = parameter < layers_[number].biases;
  return "layer " + std::to_string(number + 1) + (is_weight ? " weights" : " biases");
}

}  // namespace berth
