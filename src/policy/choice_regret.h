#pragma once

#include "berth/node.h"
#include "berth/pod.h"
#include "berth/policy.h"
#include "berth/workload_profile.h"

namespace berth {

// Where a pod would go.
struct Choice {
  const Node* node = nullptr;  // never null
  GpuSet gpus;                 // free on it
};

// The policy's choice on a node that can take the demand. It is asked only where ways of placing
// the pod leave different states behind.
Choice ChoiceOn(const Node& node, const Scorer& policy, const Demand& demand,
                const WorkloadProfile& profile);

// How much more fragmented the node is once the pod is there, by the FGD measure, in milli-GPU
// (cluster/fragmentation.h); less than 0 when the pod fills a gap.
double AddedFragmentation(const Choice& choice, const Demand& demand,
                          const WorkloadProfile& profile);

// How much more the one choice fragments than the other, in milli-GPU.
double ChoiceRegret(const Choice& choice, const Choice& other, const Demand& demand,
                    const WorkloadProfile& profile);

}  // namespace berth
