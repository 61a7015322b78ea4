#include "cluster/gpu_load.h"

#include <cstdlib>

namespace berth {

int NextGpuLoadBucket(int bucket, MilliGpu allocated, MilliGpu capacity) {
  const int64_t whole = capacity.value();
  if (whole == 0) return 0;
  const int64_t sixteenths = 16 * allocated.value();  // of `whole`
  if (4 * std::abs(sixteenths - bucket * whole) <= 3 * whole) return bucket;
  return static_cast<int>((2 * sixteenths + whole) / (2 * whole));
}

}  // namespace berth
