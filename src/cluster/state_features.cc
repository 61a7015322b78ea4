#include "cluster/state_features.h"

#include <absl/container/inlined_vector.h>

#include <algorithm>
#include <cmath>

#include "cluster/state_tables.h"

namespace berth {
namespace {

// In the order of StateFeatures. Append only, and never change what a name means: trained policies
// read by name.
enum Feature : size_t {
  kFragmentation,
  kFragmentationOfSort,  // one for each GpuPodSort
  kFragmentationConstrained = kFragmentationOfSort + kGpuPodSorts,
  kGpuFree,
  kWholeGpus,
  kCpuFree,
  kGpuStarved050,
  kGpuStarved,
  kGpuStarved150,
  kGpuStarved250,
  kCpuSurplus,
  kCpuSurplus200,
  kPartial010,
  kPartial025,
  kPartial050,
  kPartial100,
  kPartialGpus,
  kPartialSquares,
  kScarceGpu,
  kCpuWithoutGpu,
  kIdle,
  kWholeStarved,
  kHasWhole,
  kHasTwo,
  kHasFour,
  kHasEight,
  kGpuFed,
  kGpuFreeRoot,
  kCpuFreeRoot,
  kUnfilled,  // one for each StateTables::kFills
  kSlivers = kUnfilled + StateTables::kFills,
  kLargestPartial,
  kCpuTimesPartial,
  kPartialFed,
  kCpuTimesLargest,
  kCount
};
static_assert(kCount == kStateFeatures);

constexpr FeatureColumn kTable[] = {
    {"fragmentation", "GPUs", "expected free GPU that a typical pod cannot use"},
    {"fragmentation_small_shares", "GPUs", "the part of it due to pods below half a GPU"},
    {"fragmentation_large_shares", "GPUs", "the part of it due to larger shares"},
    {"fragmentation_one_gpu", "GPUs", "the part of it due to pods of one whole GPU"},
    {"fragmentation_several_gpus", "GPUs", "the part of it due to pods of several GPUs"},
    {"fragmentation_constrained", "GPUs", "the part of it due to pods that accept some models"},
    {"gpu_free", "GPUs", "free GPU, shares included"},
    {"whole_gpus", "GPUs", "GPUs that nobody uses"},
    {"cpu_free", "cores", "free CPU"},
    {"gpu_starved_050", "GPUs", "free GPU beyond what the CPU feeds at half the usual need"},
    {"gpu_starved", "GPUs", "free GPU beyond what the free CPU can feed in this workload"},
    {"gpu_starved_150", "GPUs", "free GPU beyond what the CPU feeds at 1.5 times the usual need"},
    {"gpu_starved_250", "GPUs", "free GPU beyond what the CPU feeds at 2.5 times the usual need"},
    {"cpu_surplus", "GPUs", "GPU that the free CPU could feed beyond the free GPU"},
    {"cpu_surplus_200", "GPUs", "the same at twice the usual need of CPU"},
    {"partial_010", "GPUs", "free GPU in shares up to 0.1"},
    {"partial_025", "GPUs", "free GPU in shares above 0.1, up to 0.25"},
    {"partial_050", "GPUs", "free GPU in shares above 0.25, up to 0.5"},
    {"partial_100", "GPUs", "free GPU in larger shares of GPUs in use"},
    {"partial_gpus", "GPUs", "GPUs in use with a share still free"},
    {"partial_squares", "GPUs", "sum of the squares of those shares"},
    {"scarce_gpu", "GPUs", "free GPU times the share of its model that only such pods will want"},
    {"cpu_without_gpu", "cores", "free CPU if no GPU is free"},
    {"idle", "0 or 1", "1 when all of its GPU and CPU is free"},
    {"whole_starved", "GPUs", "GPUs that nobody uses beyond what the free CPU can feed"},
    {"has_whole", "0 or 1", "1 when a GPU is wholly free"},
    {"has_two", "0 or 1", "1 when two GPUs are wholly free"},
    {"has_four", "0 or 1", "1 when four GPUs are wholly free"},
    {"has_eight", "0 or 1", "1 when eight GPUs are wholly free"},
    {"gpu_fed", "GPUs", "free GPU that the free CPU can feed"},
    {"gpu_free_root", "sqrt GPUs", "square root of the free GPU"},
    {"cpu_free_root", "sqrt cores", "square root of the free CPU"},
    {"unfilled_hasty", "GPUs", "free shares that no pod is expected to come and fill soon"},
    {"unfilled", "GPUs", "the same with some patience"},
    {"unfilled_patient", "GPUs", "the same with much patience"},
    {"slivers", "GPUs", "GPUs in use with less than 0.1 free"},
    {"largest_partial", "GPUs", "largest free share of a GPU in use"},
    {"cpu_times_partial", "cores x GPUs", "free CPU times the free shares of GPUs in use"},
    {"partial_fed", "GPUs", "free shares of GPUs in use that the free CPU can feed"},
    {"cpu_times_largest", "cores x GPUs", "free CPU times the largest of those shares"},
};
static_assert(std::size(kTable) == kStateFeatures);

// In double, then rounded: the numbers of every other column of the same name.
float Gpus(MilliGpu gpu) { return static_cast<float>(static_cast<double>(gpu.value()) / 1000); }

float Cores(MilliCpu cpu) { return static_cast<float>(static_cast<double>(cpu.value()) / 1000); }

// The free GPU of a node, told apart by what it is good for.
struct FreeGpus {
  explicit FreeGpus(const GpuFreeList& gpus) {
    for (const MilliGpu gpu : gpus) {
      total += gpu;
      if (gpu == kWholeGpu) {
        ++whole;
      } else if (gpu > MilliGpu()) {
        partial.push_back(gpu);
      }
    }
    std::ranges::sort(partial);
  }

  MilliGpu total;
  int whole = 0;
  absl::InlinedVector<MilliGpu, 8> partial;  // ascending, each below kWholeGpu
};

void AddFragmentation(const FreeGpus& gpus, size_t cpu_step, const StateTables& mix,
                      const StateTable& model, StateFeatures& features) {
  absl::InlinedVector<int, 32> large_enough(model.sizes.size());  // for each size
  absl::InlinedVector<double, 32> usable(model.sizes.size());     // for each size, in milli-GPU
  size_t too_small = 0;
  MilliGpu rest = gpus.total;
  for (size_t i = 0; i < model.sizes.size(); ++i) {
    for (; too_small < gpus.partial.size() && gpus.partial[too_small] < model.sizes[i];
         ++too_small) {
      rest -= gpus.partial[too_small];
    }
    large_enough[i] = gpus.whole + static_cast<int>(gpus.partial.size() - too_small);
    usable[i] = static_cast<double>(rest.value());
  }
  const auto total = static_cast<double>(gpus.total.value());
  double served = 0, constrained = mix.constrained * total;
  std::array<double, kGpuPodSorts> of_sort;
  for (size_t sort = 0; sort < kGpuPodSorts; ++sort) of_sort[sort] = mix.sorts[sort] * total;
  const std::span<const double> probability = model.ServedAt(cpu_step);
  for (size_t i = 0; i < probability.size(); ++i) {
    const StateTable::Slot& slot = model.slots[i];
    if (large_enough[slot.size] < slot.gpus) continue;
    const double used = probability[i] * usable[slot.size];
    served += used;
    of_sort[static_cast<size_t>(slot.sort)] -= used;
    if (slot.constrained) constrained -= used;
  }
  features[kFragmentation] = mix.empty ? 0 : static_cast<float>((total - served) / 1000);
  for (size_t sort = 0; sort < kGpuPodSorts; ++sort) {
    features[kFragmentationOfSort + sort] = static_cast<float>(of_sort[sort] / 1000);
  }
  features[kFragmentationConstrained] = static_cast<float>(constrained / 1000);
}

void AddShares(const FreeGpus& gpus, float cores, const StateTables& mix, StateFeatures& features) {
  float total = 0;
  for (const MilliGpu share : gpus.partial) {
    const float free = Gpus(share);
    total += free;
    const int64_t milli = share.value();
    features[milli <= 100   ? kPartial010
             : milli <= 250 ? kPartial025
             : milli <= 500 ? kPartial050
                            : kPartial100] += free;
    features[kPartialSquares] += free * free;
    if (milli < 100) ++features[kSlivers];
    for (size_t fill = 0; fill < StateTables::kFills; ++fill) {
      features[kUnfilled + fill] += mix.unfilled[fill][milli];
    }
  }
  features[kPartialGpus] = static_cast<float>(gpus.partial.size());
  features[kLargestPartial] = gpus.partial.empty() ? 0 : Gpus(gpus.partial.back());
  features[kCpuTimesPartial] = cores * total;
  features[kCpuTimesLargest] = cores * features[kLargestPartial];
  features[kPartialFed] = mix.cpu_per_gpu > 0 ? std::min(cores / mix.cpu_per_gpu, total) : total;
}

// How the free CPU and the free GPU go together. Without a mix that says what a GPU needs, all is
// fed.
void AddBalance(float gpu, float whole, float cores, const StateTables& mix,
                StateFeatures& features) {
  const float fed = mix.cpu_per_gpu > 0 ? cores / mix.cpu_per_gpu : gpu;
  features[kGpuStarved050] = std::max(0.0F, gpu - fed / 0.5F);
  features[kGpuStarved] = std::max(0.0F, gpu - fed);
  features[kGpuStarved150] = std::max(0.0F, gpu - fed / 1.5F);
  features[kGpuStarved250] = std::max(0.0F, gpu - fed / 2.5F);
  features[kCpuSurplus] = std::max(0.0F, fed - gpu);
  features[kCpuSurplus200] = std::max(0.0F, fed / 2 - gpu);
  features[kWholeStarved] = std::max(0.0F, whole - fed);
  features[kGpuFed] = std::min(gpu, fed);
  features[kCpuWithoutGpu] = gpu == 0 ? cores : 0;
  features[kGpuFreeRoot] = std::sqrt(gpu);
  features[kCpuFreeRoot] = std::sqrt(cores);
}

void AddWholeGpus(int whole, StateFeatures& features) {
  features[kWholeGpus] = static_cast<float>(whole);
  features[kHasWhole] = whole >= 1;
  features[kHasTwo] = whole >= 2;
  features[kHasFour] = whole >= 4;
  features[kHasEight] = whole >= 8;
}

}  // namespace

std::span<const FeatureColumn> StateFeatureTable() { return kTable; }

StateFeatures FeaturesOf(const NodeSpec& node, const FreeState& free,
                         const WorkloadProfile& profile) {
  const StateTables& mix = *profile.state_tables();
  return FeaturesOf(node, free, mix, mix.For(node.model));
}

StateFeatures FeaturesOf(const NodeSpec& node, const FreeState& free, const StateTables& mix,
                         const StateTable& model) {
  StateFeatures features{};
  const FreeGpus gpus(free.gpus);
  const MilliCpu cpu = std::max(free.cpu, MilliCpu());
  const float cores = Cores(cpu);
  const float gpu = Gpus(gpus.total);
  features[kGpuFree] = gpu;
  features[kCpuFree] = Cores(free.cpu);
  features[kScarceGpu] = model.scarcity * gpu;
  features[kIdle] = gpus.whole == node.gpus && cpu == node.cpu;
  if (gpus.total > MilliGpu()) AddFragmentation(gpus, model.StepOf(cpu), mix, model, features);
  AddShares(gpus, cores, mix, features);
  AddBalance(gpu, static_cast<float>(gpus.whole), cores, mix, features);
  AddWholeGpus(gpus.whole, features);
  return features;
}

}  // namespace berth
