#pragma once

#include "berth/node.h"
#include "berth/pod.h"

namespace berth {

// A share goes to the GPU with the least free milli that still fits (ties: lowest index); whole
// GPUs are the lowest-index free ones. Empty when the demand does not fit or wants no GPU.
GpuSet ChooseGpusBestFit(const FreeState& free, const Demand& demand);

}  // namespace berth
