#pragma once

#include <array>
#include <cstddef>

#include "base/rng.h"

namespace berth {

// A cluster so small that how well it can be run is known exactly: something to try deciders on.
// Four nodes with 8 GPUs each, all free at first. Jobs come one by one and never leave; each wants
// 1, 2, 4 or 8 GPUs of one node, every number with the same chance. It is over when the job that
// came last fits nowhere, or was sent to a node that cannot take it. Every other job takes a GPU at
// least, so at most 32 are placed. The best way to run it fills 3.7097 nodes on average, best fit
// 3.709, and the emptiest node first 2.54.
class ToyCluster {
 public:
  static constexpr size_t kNodes = 4;
  static constexpr int kGpusPerNode = 8;
  static constexpr std::array<int, 4> kDemands = {1, 2, 4, 8};

  // In parts of a node: the free GPUs of each node, and last what the waiting job wants. From 0 to
  // 1; the job never wants 0.
  using Numbers = std::array<float, kNodes + 1>;

  // `rng` draws the jobs, here and below.
  explicit ToyCluster(Rng& rng) { Restart(rng); }

  // All GPUs are free and a first job waits.
  void Restart(Rng& rng);

  int free_gpus(size_t node) const { return free_[node]; }
  int demand() const { return demand_; }  // of the job that waits
  Numbers numbers() const;

  bool CanTakeIt(size_t node) const { return demand_ <= free_[node]; }
  std::array<bool, kNodes> WhoCanTakeIt() const;
  bool over() const { return over_; }

  // Sends the job that waits to a node and draws the next one. Returns what it fills, in parts of a
  // node: demand() / 8, and 0 where the node cannot take it; then the job goes on waiting, and it
  // is over. REQUIRES: node < kNodes, and it is not over.
  double Place(size_t node, Rng& rng);

 private:
  void NextJob(Rng& rng);

  std::array<int, kNodes> free_{};
  int demand_ = 0;
  bool over_ = false;
};

}  // namespace berth
