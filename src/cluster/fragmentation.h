#pragma once

#include <span>

#include "berth/node.h"
#include "berth/workload_profile.h"

namespace berth {

// Idle GPU that a node cannot offer to one pod of the class, in milli-GPU (F_{n,m}).
MilliGpu FragmentFor(const GpuModel& model, const FreeState& free, const PodClass& pod_class);

// Expected fragment over the typical pods, in milli-GPU (F_n); 0 for an empty profile.
// Source: "Beware of Fragmentation" (Weng et al., USENIX ATC'23), exactly as coded in its
// simulator: CPU-only classes and classes the node's model is not allowed for count all idle GPU
// as fragment, memory never enters.
double Fragmentation(const GpuModel& model, const FreeState& free, const WorkloadProfile& profile);

// The same of several states of nodes of one model: cheaper together than one by one.
// REQUIRES: as many states as fragmentations.
void Fragmentations(const GpuModel& model, std::span<const FreeState> states,
                    const WorkloadProfile& profile, std::span<double> fragmentations);

}  // namespace berth
