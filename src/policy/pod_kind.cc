#include "policy/pod_kind.h"

#include "cluster/state_tables.h"

namespace berth {

PodKind KindOfPod(const Demand& demand) {
  if (demand.gpus == 0) return PodKind::kNoGpu;
  constexpr auto kFirst = static_cast<int>(PodKind::kSmallShare);
  return static_cast<PodKind>(kFirst + static_cast<int>(SortOf(demand.gpus, demand.per_gpu)));
}

}  // namespace berth
