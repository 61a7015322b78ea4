#pragma once

#include <cstddef>

#include "berth/pod.h"

namespace berth {

// Pods that are told apart because what makes a node good for them differs.
enum class PodKind { kNoGpu, kSmallShare, kLargeShare, kOneGpu, kSeveralGpus };
inline constexpr size_t kPodKinds = 5;

// A share below half a GPU is small.
PodKind KindOfPod(const Demand& demand);

}  // namespace berth
