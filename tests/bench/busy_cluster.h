#pragma once

#include <cstddef>
#include <vector>

#include "base/rng.h"
#include "berth/node.h"
#include "berth/pod.h"
#include "berth/workload_profile.h"

namespace berth {

// A cluster in use: managed nodes of eight GPUs each, in the shapes that openb has of them, and
// running pods.
struct BusyCluster {
  std::vector<NodeSpec> nodes;
  std::vector<Pod> pods;  // each bound to one of the nodes, and all fit there
  double gpu_load = 0;    // share of all GPU that the pods hold
  size_t states = 0;      // how many nodes differ in shape or free state
};

// Draws the pods from the profile's mix and puts each on a random node that has room, as a cluster
// looks after months: hardly two nodes are alike.
BusyCluster MakeBusyCluster(const WorkloadProfile& profile, size_t nodes, size_t pods, Rng& rng);

}  // namespace berth
