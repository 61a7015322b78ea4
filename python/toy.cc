#include "toy.h"

#include <algorithm>

namespace berth {
namespace {

// What the next job cannot use of the idle GPUs on average, in nodes.
double Fragmentation(const ToyCluster& toy) {
  int unusable = 0;
  for (size_t node = 0; node < ToyCluster::kNodes; ++node) {
    const int free = toy.free_gpus(node);
    unusable += free * static_cast<int>(std::ranges::count_if(
                           ToyCluster::kDemands, [free](int demand) { return demand > free; }));
  }
  return static_cast<double>(unusable) / ToyCluster::kDemands.size() / ToyCluster::kGpusPerNode;
}

}  // namespace

void Toy::Restart(uint64_t seed) {
  rng_.seed(seed);
  toy_.Restart(rng_);
}

Outcome Toy::Place(size_t node) {
  const double before = Fragmentation(toy_);
  Outcome outcome = {.placed = toy_.Place(node, rng_)};
  outcome.fragmentation = Fragmentation(toy_) - before;
  if (toy_.over()) outcome.left_out = toy_.numbers().back();
  return outcome;
}

void Toy::Observe(std::span<float> numbers, std::span<int8_t> mask) const {
  std::ranges::copy(toy_.numbers(), numbers.begin());
  std::ranges::copy(toy_.WhoCanTakeIt(), mask.begin());
}

}  // namespace berth
