#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/rng.h"
#include "outcome.h"
#include "sim/toy_cluster.h"

namespace berth {

// The toy cluster as an environment decides on it.
class Toy {
 public:
  Toy() : toy_(rng_) {}

  size_t nodes() const { return ToyCluster::kNodes; }
  size_t numbers() const { return ToyCluster::Numbers().size(); }

  void Restart(uint64_t seed);
  bool over() const { return toy_.over(); }
  // REQUIRES: there is such a node, and it is not over.
  Outcome Place(size_t node);
  // REQUIRES: as many as numbers() and nodes() say.
  void Observe(std::span<float> numbers, std::span<int8_t> mask) const;

 private:
  Rng rng_;
  ToyCluster toy_;
};

}  // namespace berth
