#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <shared_mutex>
#include <span>
#include <vector>

#include "berth/workload_profile.h"

namespace berth {

// The typical pods as nodes of one GPU model see them, laid out to be summed up quickly.
struct FragmentationTable {
  // So many GPUs no node has: the pod can use nothing of a node of this model.
  static constexpr int kNever = std::numeric_limits<int>::max();

  struct Pod {
    MilliCpu cpu;
    int gpus = kNever;
    uint32_t size = 0;  // position in `sizes` of what it asks for per GPU
    double probability = 0;
  };

  FragmentationTable(std::span<const TypicalPod> typical, const GpuModel& model);

  std::vector<MilliGpu> sizes;  // each once
  std::vector<Pod> pods;        // in the order of the typical pods
};

// A table per GPU model, made when a model is first asked about: whether pods accept it is a
// comparison of names, which takes longer than everything else about a node. Thread-safe.
class FragmentationTables {
 public:
  explicit FragmentationTables(std::vector<TypicalPod> typical) : typical_(std::move(typical)) {}

  // Valid as long as this.
  const FragmentationTable& For(const GpuModel& model) const;

 private:
  const std::vector<TypicalPod> typical_;
  mutable std::shared_mutex mutex_;
  mutable std::map<GpuModel, FragmentationTable> tables_;  // of models asked about
};

}  // namespace berth
