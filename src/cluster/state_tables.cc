#include "cluster/state_tables.h"

#include <algorithm>
#include <mutex>
#include <tuple>

namespace berth {
namespace {

constexpr std::array<double, StateTables::kFills> kImpatience = {0.15, 0.03, 0.005};

bool Accepts(const PodClass& pod, const GpuModel& model) {
  return pod.gpus > 0 && pod.models.Allows(model);
}

std::vector<TypicalPod> Accepting(std::span<const TypicalPod> typical, const GpuModel& model) {
  std::vector<TypicalPod> accepting;
  for (const TypicalPod& pod : typical) {
    if (Accepts(pod.pod_class, model)) accepting.push_back(pod);
  }
  return accepting;
}

template <class T>
void SortEachOnce(std::vector<T>& values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

size_t PositionOf(MilliGpu size, const std::vector<MilliGpu>& sizes) {
  return std::ranges::lower_bound(sizes, size) - sizes.begin();
}

class TableBuilder {
 public:
  explicit TableBuilder(std::vector<TypicalPod> pods) : pods_(std::move(pods)) {}

  StateTable Build() {
    for (const auto& [pod, probability] : pods_) {
      table_.sizes.push_back(pod.per_gpu);
      table_.cpu_steps.push_back(pod.cpu);
    }
    SortEachOnce(table_.sizes);
    SortEachOnce(table_.cpu_steps);
    for (const auto& [pod, probability] : pods_) slot_of_pod_.push_back(SlotOf(pod));
    for (size_t step = 0; step <= table_.cpu_steps.size(); ++step) AddStep(step);
    return std::move(table_);
  }

 private:
  size_t SlotOf(const PodClass& pod) {
    const StateTable::Slot slot{
        .size = static_cast<uint32_t>(PositionOf(pod.per_gpu, table_.sizes)),
        .gpus = pod.gpus,
        .sort = SortOf(pod.gpus, pod.per_gpu),
        .constrained = !pod.models.AllowsAny()};
    const auto same = [&](const StateTable::Slot& other) {
      return std::tie(slot.size, slot.gpus, slot.constrained) ==
             std::tie(other.size, other.gpus, other.constrained);
    };
    const auto found = std::ranges::find_if(table_.slots, same);
    if (found != table_.slots.end()) return found - table_.slots.begin();
    table_.slots.push_back(slot);
    return table_.slots.size() - 1;
  }

  void AddStep(size_t step) {
    std::vector<double> served(table_.slots.size());
    for (size_t i = 0; i < pods_.size(); ++i) {
      const bool enough = step > 0 && pods_[i].pod_class.cpu <= table_.cpu_steps[step - 1];
      if (enough) served[slot_of_pod_[i]] += pods_[i].probability;
    }
    table_.served.insert(table_.served.end(), served.begin(), served.end());
  }

  const std::vector<TypicalPod> pods_;
  std::vector<size_t> slot_of_pod_;
  StateTable table_;
};

}  // namespace

GpuPodSort SortOf(int gpus, MilliGpu per_gpu) {
  constexpr MilliGpu kHalf{500};
  if (gpus > 1) return GpuPodSort::kSeveralGpus;
  if (per_gpu == kWholeGpu) return GpuPodSort::kOneGpu;
  return per_gpu < kHalf ? GpuPodSort::kSmallShare : GpuPodSort::kLargeShare;
}

size_t StateTable::StepOf(MilliCpu cpu) const {
  return std::ranges::upper_bound(cpu_steps, cpu) - cpu_steps.begin();
}

StateTables::StateTables(const WorkloadProfile& profile)
    : empty(profile.typical_pods().empty()),
      numbers(NumbersOf(profile)),
      cpu_per_gpu(static_cast<float>(profile.CpuPerGpu().value()) / 1000),
      typical_(profile.typical_pods().begin(), profile.typical_pods().end()),
      scarcity_(profile.Scarcity(profile.fleet().gpus)) {
  for (const auto& [pod, probability] : typical_) {
    if (pod.gpus == 0) continue;
    sorts[static_cast<size_t>(SortOf(pod.gpus, pod.per_gpu))] += probability;
    if (!pod.models.AllowsAny()) constrained += probability;
  }
  for (size_t fill = 0; fill < kFills; ++fill) {
    const std::vector<double> expected = profile.ExpectedFills(kImpatience[fill]);
    for (size_t free = 0; free < expected.size(); ++free) {
      unfilled[fill][free] =
          static_cast<float>((static_cast<double>(free) - expected[free]) / 1000);
    }
  }
  for (const auto& [model, has] : profile.fleet().gpus) fleet_.emplace_back(model, Build(model));
}

StateTable StateTables::Build(const GpuModel& model) const {
  StateTable table = TableBuilder(Accepting(typical_, model)).Build();
  const auto scarcity = scarcity_.find(model);
  if (scarcity != scarcity_.end()) table.scarcity = static_cast<float>(scarcity->second);
  return table;
}

const StateTable& StateTables::For(const GpuModel& model) const {
  for (const auto& [name, table] : fleet_) {
    if (name == model) return table;
  }
  {
    const std::shared_lock lock(mutex_);
    const auto found = others_.find(model);
    if (found != others_.end()) return found->second;
  }
  const std::unique_lock lock(mutex_);
  return others_.try_emplace(model, Build(model)).first->second;
}

}  // namespace berth
