#pragma once

#include <vector>

#include "berth/node.h"

namespace berth {

// The 1,213 GPU nodes of the Alibaba GPU trace 2023 (openb): 6,212 GPUs, 107,018 cores, shape by
// shape, named openb-node-0000 and up. The trace itself numbers its nodes in another order.
std::vector<NodeSpec> OpenbNodes(GpuAccounting accounting);

}  // namespace berth
