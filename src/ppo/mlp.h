#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/rng.h"

namespace berth {

// A small net: two hidden layers of tanh and a linear one. It has a shape but no parameters of its
// own; they are handed in, so that several nets can be trained as one vector.
class Mlp {
 public:
  Mlp(size_t inputs, size_t hidden, size_t outputs);

  size_t inputs() const { return layers_.front().inputs; }
  size_t outputs() const { return layers_.back().outputs; }
  size_t parameters() const { return parameters_; }

  // Orthogonal weights, of gain sqrt 2 and in the last layer `last_gain`; no biases.
  // Source: Saxe et al., "Exact solutions to the nonlinear dynamics of learning in deep linear
  // neural networks", ICLR 2014.
  std::vector<float> DrawParameters(double last_gain, Rng& rng) const;

  // What each layer made of a batch; the last one's are the net's outputs.
  struct Pass {
    std::vector<std::vector<float>> of_layers;

    std::span<const float> outputs() const { return of_layers.back(); }
  };
  // `inputs`: one row after another.
  void Forward(std::span<const float> parameters, std::span<const float> inputs, Pass& pass) const;

  // Adds to `gradient` the derivatives by the parameters of a loss whose derivatives by the outputs
  // are `per_output`. `pass` is of the same parameters and inputs.
  void Backward(std::span<const float> parameters, std::span<const float> inputs, const Pass& pass,
                std::vector<float> per_output, std::span<float> gradient) const;

  // The name of the tensor that a parameter is in: "layer 2 weights".
  std::string TensorOf(size_t parameter) const;

 private:
  struct Layer {
    size_t inputs, outputs;
    size_t weights, biases;  // where they begin; weights are input by input
    size_t end;
  };

  std::vector<Layer> layers_;
  size_t parameters_ = 0;
};

}  // namespace berth
