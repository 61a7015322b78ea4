#pragma once

#include <cstdint>
#include <map>
#include <shared_mutex>
#include <span>
#include <vector>

#include "berth/workload_profile.h"

namespace berth {

// The typical pods as nodes of one GPU model see them, laid out to be summed up quickly: those that
// ask for the same, and differ only in the models that they accept, are one shape.
struct FragmentationTable {
  struct Shape {
    MilliCpu cpu;
    int gpus = 0;
    uint32_t size = 0;  // position in `sizes` of what it asks for per GPU

    bool operator==(const Shape&) const = default;
  };

  struct Pod {
    uint32_t shape = 0;  // shapes.size(): it can use nothing of a node of this model
    double probability = 0;
  };

  FragmentationTable(std::span<const TypicalPod> typical, const GpuModel& model);

  std::vector<MilliGpu> sizes;  // each once
  std::vector<Shape> shapes;    // each once, of pods that can use the model
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
