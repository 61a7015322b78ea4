#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "berth/pod.h"

namespace berth {

// Of all its pods together.
enum class JobSize { kNoGpu, kShare, kOneGpu, kSeveralGpus, kEightGpus };  // 2 to 7; 8 and more
inline constexpr size_t kJobSizes = 5;
JobSize SizeOf(const Demand& demand, uint32_t pods = 1);
std::string_view NameOf(JobSize size);

}  // namespace berth
