#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "cluster/state_features.h"

namespace berth {

// Expects what is still to come in a packing run from how the cluster looks: linear in the sums of
// its nodes' features, with weights that change with the load. Fitted by ridge regression around
// loads at even distances; in between, the values of the two next to it are mixed.
class ClusterCritic {
 public:
  static constexpr size_t kLoads = 12;                   // from 0 to 110 %
  static constexpr size_t kInputs = kStateFeatures + 1;  // the last one is always 1

  // `units`: what a sum of each feature is divided by; 0 leaves it out.
  explicit ClusterCritic(const std::array<double, kStateFeatures>& units);

  // `load` in parts of all GPUs; 0 as long as nothing was learned.
  double Value(double load, std::span<const float, kStateFeatures> summary) const;

  // What was learned before counts `keep` times from now on.
  void Fade(double keep);
  void Add(double load, std::span<const float, kStateFeatures> summary, double came);
  // Learns from all that was added. Errors would be ours: the equations always have a solution.
  void Solve();

  // Of each load: how inputs go together, with each other and with what came.
  struct State {
    std::vector<double> products;  // kLoads x kInputs x kInputs
    std::vector<double> targets;   // kLoads x kInputs
    std::vector<double> weights;   // kLoads x kInputs

    bool operator==(const State&) const = default;
  };
  const State& state() const { return state_; }
  void Restore(State state);

 private:
  std::array<double, kInputs> InputsOf(std::span<const float, kStateFeatures> summary) const;

  std::array<double, kStateFeatures> units_;
  State state_;
};

}  // namespace berth
