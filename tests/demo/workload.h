#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/rng.h"
#include "berth/node.h"
#include "berth/pod.h"
#include "berth/workload_profile.h"

namespace berth {

// `count` of the nodes, spread evenly over the list, so that the mix of shapes stays.
std::vector<NodeSpec> SomeOf(std::span<const NodeSpec> nodes, size_t count);

MilliGpu TotalGpu(std::span<const NodeSpec> nodes);

// Pods that already run and take two of every three nodes whole: a cluster that has been in use for
// a while. Only the rest is contended, so a few thousand arrivals decide it.
std::vector<Pod> RunningPods(std::span<const NodeSpec> nodes);

MilliGpu TotalGpu(std::span<const Pod> pods);

// Draws pods from the profile's mix until they ask for as much GPU as `capacity`, or `limit` pods.
// The profile has no memory; a pod here asks for 2 GiB per core, half of what most nodes have per
// core, so that CPU and GPU decide. GPUs are asked for as on managed nodes.
std::vector<Pod> DrawPods(const WorkloadProfile& profile, MilliGpu capacity, size_t limit,
                          Rng& rng);

}  // namespace berth
