#pragma once

#include <functional>

#include "berth/node.h"
#include "berth/pod.h"
#include "berth/workload_profile.h"

namespace berth {

// Which GPUs a pod takes on a node that can take it (Scorer::ChooseGpus of the policy in charge).
using GpuChooser = std::function<GpuSet(const Node&, const Demand&, const WorkloadProfile&)>;

// Who holds what on which node: plain bookkeeping for one thread, without epochs or views.
class Books;

}  // namespace berth
