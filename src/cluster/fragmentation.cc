#include "cluster/fragmentation.h"

#include <absl/container/inlined_vector.h>

#include <algorithm>
#include <array>

#include "cluster/fragmentation_tables.h"

namespace berth {
namespace {

// A node's free GPUs as pods that ask for so much per GPU see them.
struct FreeForSize {
  int large_enough = 0;
  MilliGpu too_small;  // free on the others
};

FreeForSize SeenBySize(const FreeState& free, MilliGpu size) {
  FreeForSize seen;
  for (const MilliGpu gpu : free.gpus) {
    if (gpu >= size) {
      ++seen.large_enough;
    } else {
      seen.too_small += gpu;
    }
  }
  return seen;
}

// The node's fragment for pods of each shape; last, for those that can use nothing of it.
using Fragments = absl::InlinedVector<double, 64>;

Fragments FragmentsOf(const FreeState& free, const FragmentationTable& table) {
  absl::InlinedVector<FreeForSize, 32> seen;
  for (const MilliGpu size : table.sizes) seen.push_back(SeenBySize(free, size));
  const auto idle = static_cast<double>(free.TotalGpu().value());
  Fragments fragments;
  for (const FragmentationTable::Shape& shape : table.shapes) {
    const FreeForSize& gpus = seen[shape.size];
    const bool can_use_some = free.cpu >= shape.cpu && gpus.large_enough >= shape.gpus;
    fragments.push_back(can_use_some ? static_cast<double>(gpus.too_small.value()) : idle);
  }
  fragments.push_back(idle);
  return fragments;
}

// The mean over the typical pods, summed up in their order whatever else is computed: where a score
// is rounded, the last digit can decide. The additions of one sum wait for each other, so those of
// several sums go at the price of one.
template <size_t kStates>
void Expect(const FragmentationTable& table, std::span<const FreeState, kStates> states,
            std::span<double, kStates> expected) {
  std::array<Fragments, kStates> fragments;
  for (size_t i = 0; i < kStates; ++i) fragments[i] = FragmentsOf(states[i], table);
  std::array<double, kStates> sums{};
  for (const FragmentationTable::Pod& pod : table.pods) {
    for (size_t i = 0; i < kStates; ++i) sums[i] += pod.probability * fragments[i][pod.shape];
  }
  std::ranges::copy(sums, expected.begin());
}

}  // namespace

MilliGpu FragmentFor(const GpuModel& model, const FreeState& free, const PodClass& pod_class) {
  const bool can_use_none =
      pod_class.gpus == 0 || free.cpu < pod_class.cpu || !pod_class.models.Allows(model);
  if (can_use_none) return free.TotalGpu();
  const FreeForSize seen = SeenBySize(free, pod_class.per_gpu);
  return seen.large_enough >= pod_class.gpus ? seen.too_small : free.TotalGpu();
}

void Fragmentations(const GpuModel& model, std::span<const FreeState> states,
                    const WorkloadProfile& profile, std::span<double> fragmentations) {
  const FragmentationTable& table = profile.fragmentation_tables().For(model);
  size_t i = 0;
  for (; i + 2 <= states.size(); i += 2) {
    Expect<2>(table, states.subspan(i).first<2>(), fragmentations.subspan(i).first<2>());
  }
  if (i < states.size()) {
    Expect<1>(table, states.subspan(i).first<1>(), fragmentations.subspan(i).first<1>());
  }
}

double Fragmentation(const GpuModel& model, const FreeState& free, const WorkloadProfile& profile) {
  double fragmentation = 0;
  Fragmentations(model, std::span(&free, 1), profile, std::span(&fragmentation, 1));
  return fragmentation;
}

}  // namespace berth
