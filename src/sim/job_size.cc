#include "sim/job_size.h"

namespace berth {

JobSize SizeOf(const Demand& demand, uint32_t pods) {
  if (demand.gpus == 0) return JobSize::kNoGpu;
  if (demand.IsShare()) return JobSize::kShare;
  const int64_t gpus = int64_t{pods} * demand.gpus;
  if (gpus == 1) return JobSize::kOneGpu;
  return gpus < 8 ? JobSize::kSeveralGpus : JobSize::kEightGpus;
}

std::string_view NameOf(JobSize size) {
  constexpr std::string_view kNames[] = {"no GPU", "share", "1 GPU", "2-7 GPUs", "8+ GPUs"};
  return kNames[static_cast<size_t>(size)];
}

}  // namespace berth
