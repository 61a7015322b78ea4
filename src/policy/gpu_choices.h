#pragma once

#include <absl/container/inlined_vector.h>

#include "berth/node.h"
#include "berth/pod.h"

namespace berth {

using GpuChoices = absl::InlinedVector<GpuSet, 1>;

// The ways to place the pod on the node that leave different states behind: for a share one GPU of
// each distinct free amount that fits (lowest index, in index order); otherwise one, since wholly
// free GPUs are alike. A pod without GPUs has one way, the empty set.
// Empty when the demand does not fit.
GpuChoices DistinctGpuChoices(const FreeState& free, const Demand& demand);

}  // namespace berth
