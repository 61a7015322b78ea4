#pragma once

#include "berth/units.h"

namespace berth {

// The next ClusterContext::gpu_load_bucket after `bucket`. It stays while the true value is at most
// three quarters of a bucket away; else it becomes the nearest one. 0 without GPUs.
// REQUIRES: 0 <= allocated <= capacity.
int NextGpuLoadBucket(int bucket, MilliGpu allocated, MilliGpu capacity);

}  // namespace berth
