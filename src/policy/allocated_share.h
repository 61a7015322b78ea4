#pragma once

#include "berth/node.h"
#include "berth/pod.h"

namespace berth {

// How full the node is with the pod on it: the mean over CPU, memory and GPU of what is allocated,
// 0..1. As in kube-scheduler, what the node does not have does not count, nor do GPUs for a pod
// that asks for none.
double AllocatedShare(const Node& node, const Demand& demand);

}  // namespace berth
