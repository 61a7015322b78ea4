#pragma once

#include <algorithm>
#include <array>
#include <map>

#include "sim/toy_cluster.h"

namespace berth {

// What the best way to run a toy cluster fills on average, in nodes, found by trying every node for
// every job from every state that can be reached.
class ToyOptimum {
 public:
  using Free = std::array<int, ToyCluster::kNodes>;

  double FromIdle() {
    Free idle;
    idle.fill(ToyCluster::kGpusPerNode);
    return From(idle);
  }

  // Before the next job is known.
  double From(Free free) {
    std::ranges::sort(free);  // nodes are alike
    const auto known = values_.find(free);
    if (known != values_.end()) return known->second;
    double sum = 0;
    for (const int demand : ToyCluster::kDemands) sum += Best(free, demand);
    return values_[free] = sum / ToyCluster::kDemands.size();
  }

 private:
  double Best(const Free& free, int demand) {
    double best = 0;
    for (size_t node = 0; node < free.size(); ++node) {
      if (free[node] < demand) continue;
      Free after = free;
      after[node] -= demand;
      const double filled = static_cast<double>(demand) / ToyCluster::kGpusPerNode;
      best = std::max(best, filled + From(after));
    }
    return best;
  }

  std::map<Free, double> values_;
};

}  // namespace berth
