#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "berth/pod.h"
#include "berth/units.h"
#include "sim/job_size.h"

namespace berth {

// Sorts of pods that fail for reasons of their own: by size, each pod in one; and once more those
// of any size that accept only some GPU models.
inline constexpr size_t kFailureClasses = kJobSizes + 1;
std::string_view NameOfFailureClass(size_t number);

// Pods that no node could take when they arrived; they do not come back.
struct FailedPods {
  struct Sum {
    int64_t pods = 0;
    MilliGpu gpu;  // what those asked for

    double gpus() const {
      return static_cast<double>(gpu.value()) / static_cast<double>(kWholeGpu.value());
    }
    bool operator==(const Sum&) const = default;
  };

  void Add(const Demand& demand);

  Sum all;
  std::array<Sum, kFailureClasses> of_class;
};

}  // namespace berth
