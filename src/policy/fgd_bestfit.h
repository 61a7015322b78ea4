#pragma once

#include "policy/linear.h"

namespace berth {

// FGD at full precision plus a best-fit term:
//   (F before - F after) - 0.05 * (R after / 8 + C after / 128)
// with the node's expected fragment F and free GPU R in GPUs, and its free CPU C in cores; 8 GPUs
// and 128 cores are the largest openb node.
// Source: FGD is "Beware of Fragmentation" (Weng et al., USENIX ATC'23). The best-fit term and its
// 0.05 are our own tuning: without it full-precision FGD scatters pods over nodes that are equal
// but for rounding; with it the fuller node wins.
LinearPolicy FgdBestFit();

}  // namespace berth
