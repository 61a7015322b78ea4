#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <shared_mutex>
#include <span>
#include <vector>

#include "berth/workload_profile.h"
#include "cluster/mix_numbers.h"

namespace berth {

// The sorts of pods with GPUs that fragmentation is told apart by.
enum class GpuPodSort { kSmallShare, kLargeShare, kOneGpu, kSeveralGpus };
inline constexpr size_t kGpuPodSorts = 4;
// A share below half a GPU is small. REQUIRES: it asks for GPUs.
GpuPodSort SortOf(int gpus, MilliGpu per_gpu);

// The typical pods as nodes of one GPU model see them. Pods that ask for the same GPUs differ only
// in the CPU that they need, so they make one slot: what share of them the free CPU is enough for
// is looked up.
struct StateTable {
  struct Slot {
    uint32_t size = 0;  // position in `sizes` of what it asks for per GPU
    int gpus = 0;
    GpuPodSort sort = GpuPodSort::kOneGpu;
    bool constrained = false;  // accepts only some models
  };

  // Position in `cpu_steps` of the last that `cpu` reaches, counted from 1; 0 for none.
  size_t StepOf(MilliCpu cpu) const;
  // By slot: the probability of a pod of that slot that so much CPU is enough for.
  std::span<const double> ServedAt(size_t step) const {
    return std::span(served).subspan(step * slots.size(), slots.size());
  }

  std::vector<MilliGpu> sizes;  // each once, ascending
  std::vector<Slot> slots;      // of pods that accept the model
  std::vector<MilliCpu> cpu_steps;
  std::vector<double> served;
  float scarcity = 0;  // WorkloadProfile::Scarcity
};

// What FeaturesOf() needs to know about a workload profile, worked out once. Thread-safe.
class StateTables {
 public:
  static constexpr size_t kFills = 3;

  explicit StateTables(const WorkloadProfile& profile);

  // Valid as long as this.
  const StateTable& For(const GpuModel& model) const;

  bool empty = true;  // no typical pods, so nothing that could not use a node

  // Probability of each sort among the typical pods, and of those that accept only some models.
  std::array<double, kGpuPodSorts> sorts{};
  double constrained = 0;

  MixNumbers numbers;

  // CPU demand in cores per GPU demand, of pods with GPUs; 0: unknown.
  float cpu_per_gpu = 0;

  // By free milli-GPU of a GPU in use: what of it no pod is expected to come and fill, in GPUs,
  // from hasty to patient (WorkloadProfile::ExpectedFill).
  std::array<std::array<float, kWholeGpu.value() + 1>, kFills> unfilled{};

 private:
  StateTable Build(const GpuModel& model) const;

  const std::vector<TypicalPod> typical_;
  const std::map<GpuModel, double> scarcity_;
  std::vector<std::pair<GpuModel, StateTable>> fleet_;
  mutable std::shared_mutex mutex_;
  mutable std::map<GpuModel, StateTable>
      others_;  // of models asked about that are not in the fleet
};

}  // namespace berth
