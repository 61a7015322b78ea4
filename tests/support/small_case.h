#pragma once

#include <memory>
#include <string>
#include <vector>

#include "berth/node.h"
#include "berth/pod.h"
#include "berth/workload_profile.h"

namespace berth {

// One node, one pod and one mix of work, small enough to work out every number by hand.

// Four GPUs with 0.2, 1, 0.5 and 0 free; 16 of 32 cores and 64 of 128 GiB free.
inline Node SmallNode(std::string name = "node") {
  return {.spec = std::make_shared<const NodeSpec>(NodeSpec{.name = NodeName(std::move(name)),
                                                            .cpu = MilliCpu(32'000),
                                                            .memory = MiB(131'072),
                                                            .gpus = 4,
                                                            .model = GpuModel("G2"),
                                                            .accounting = GpuAccounting::kManaged}),
          .free = {.cpu = MilliCpu(16'000),
                   .memory = MiB(65'536),
                   .gpus = {MilliGpu(200), MilliGpu(1000), MilliGpu(500), MilliGpu(0)}}};
}

// 0.3 of a GPU, 4 cores, 16 GiB. On SmallNode it fits GPU 1 (which it would break) and GPU 2.
inline Demand SmallShare() {
  return {.cpu = MilliCpu(4'000),
          .memory = MiB(16'384),
          .gpus = 1,
          .per_gpu = MilliGpu(300),
          .accounting = GpuAccounting::kManaged};
}

// Three of four pods want half a GPU and 4 cores, one wants two GPUs and 8 cores.
//
// F is what a class cannot use of the node's free GPU, weighed 3/4 and 1/4:
//   SmallNode            R = 1700   3/4 * 200 + 1/4 * 1700 = 575
//   SmallShare on GPU 1  R = 1400   3/4 * 200 + 1/4 * 1400 = 500
//   SmallShare on GPU 2  R = 1400   3/4 * 400 + 1/4 * 1400 = 650
inline WorkloadProfilePtr SmallProfile() {
  const std::vector<ClassCount> classes = {
      {{.cpu = MilliCpu(4'000), .per_gpu = MilliGpu(500), .gpus = 1, .models = {}}, 3},
      {{.cpu = MilliCpu(8'000), .per_gpu = kWholeGpu, .gpus = 2, .models = {}}, 1}};
  return std::make_shared<const WorkloadProfile>("small", classes);
}

}  // namespace berth
