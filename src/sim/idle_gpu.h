#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "berth/node.h"
#include "berth/pod.h"
#include "sim/openb_lists.h"

namespace berth {

// What becomes of GPU that nobody uses when one more pod asks for some. The first that applies.
enum class IdleGpu {
  kUsable,    // the pod fits on the node, and could use it
  kModel,     // the pod does not accept the node's model
  kTooSmall,  // less is left of this one GPU than the pod wants of each
  kTooFew,    // enough is left of it, but the node has too few such GPUs for the pod
  kCpu,       // enough of them, but the node lacks the CPU
  kMemory,    // likewise the memory
};
inline constexpr size_t kIdleGpuKinds = 6;
std::string_view NameOf(IdleGpu kind);

// Milli-GPU of each kind.
using IdleGpuSplit = std::array<double, kIdleGpuKinds>;

// Splits what is idle on a node by what becomes of it, as the pods of a list see it that ask for
// GPUs: each of them is as likely to come next. Unlike the fragmentation of the FGD paper
// (cluster/fragmentation.h) it looks at all of them and at memory, and at no pod without GPUs.
class IdleGpuSplitter {
 public:
  IdleGpuSplitter(std::span<const NodeSpec> nodes, std::span<const TracePod> pods);

  // The parts sum up to free.TotalGpu(); all 0 where no pod asks for GPUs.
  // REQUIRES: it is one of the nodes.
  IdleGpuSplit Split(const NodeSpec& node, const FreeState& free) const;

 private:
  struct Pod {
    MilliCpu cpu;
    MiB memory;
    int gpus = 0;
    size_t size = 0;  // position in `sizes_` of what it asks for per GPU
    double probability = 0;
  };
  // The pods as nodes of one model see them.
  struct ForModel {
    std::vector<Pod> accepting;
    double refusing = 0;  // probability of all others
  };

  void Add(const Demand& demand, double probability);

  std::map<GpuModel, ForModel> models_;
  std::vector<MilliGpu> sizes_;  // each once
};

}  // namespace berth
