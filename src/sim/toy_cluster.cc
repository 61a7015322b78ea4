#include "sim/toy_cluster.h"

#include <algorithm>

#include "base/check.h"
#include "sim/draw.h"

namespace berth {

void ToyCluster::Restart(Rng& rng) {
  free_.fill(kGpusPerNode);
  NextJob(rng);
}

ToyCluster::Numbers ToyCluster::numbers() const {
  const auto part_of_node = [](int gpus) { return static_cast<float>(gpus) / kGpusPerNode; };
  Numbers numbers;
  std::ranges::transform(free_, numbers.begin(), part_of_node);
  numbers.back() = part_of_node(demand_);
  return numbers;
}

std::array<bool, ToyCluster::kNodes> ToyCluster::WhoCanTakeIt() const {
  std::array<bool, kNodes> can;
  for (size_t node = 0; node < kNodes; ++node) can[node] = CanTakeIt(node);
  return can;
}

double ToyCluster::Place(size_t node, Rng& rng) {
  BERTH_CHECK(node < kNodes && !over_, "there is such a node, and a job for it");
  if (!CanTakeIt(node)) {
    over_ = true;
    return 0;
  }
  const double filled = static_cast<double>(demand_) / kGpusPerNode;
  free_[node] -= demand_;
  NextJob(rng);
  return filled;
}

void ToyCluster::NextJob(Rng& rng) {
  demand_ = kDemands[DrawBelow(rng, kDemands.size())];
  over_ = demand_ > std::ranges::max(free_);
}

}  // namespace berth
