#pragma once

#include "berth/policy.h"
#include "sim/sim_cluster.h"

namespace berth {

// Pods beside pods of their own kind; among such nodes the fuller ones. Source: the GpuClustering
// baseline of "Beware of Fragmentation" (Weng et al., USENIX ATC'23), in whole numbers as there.
// Only simulated: which kinds of pods a node holds is nothing that a Node says. The cluster
// outlives the scorer.
ScorerPtr MakeGpuClustering(const SimCluster& cluster);

}  // namespace berth
