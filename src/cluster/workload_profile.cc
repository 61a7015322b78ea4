#include "berth/workload_profile.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "base/check.h"

namespace berth {
namespace {

constexpr int64_t kTypicalPercent = 95;

MilliGpu TotalGpu(const PodClass& pod_class) { return pod_class.per_gpu * pod_class.gpus; }

std::vector<ClassCount> MostFrequentFirst(std::span<const ClassCount> classes) {
  std::map<PodClass, int64_t, std::greater<>> counts;  // ties: the larger class first
  for (const ClassCount& entry : classes) {
    BERTH_CHECK(entry.count >= 0, "a class is not seen less than never");
    if (entry.count > 0) counts[entry.pod_class] += entry.count;
  }
  std::vector<ClassCount> sorted;
  for (const auto& [pod_class, count] : counts) sorted.push_back({pod_class, count});
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const ClassCount& a, const ClassCount& b) { return a.count > b.count; });
  return sorted;
}

int64_t TotalCount(std::span<const ClassCount> classes) {
  int64_t total = 0;
  for (const ClassCount& entry : classes) total += entry.count;
  return total;
}

std::vector<TypicalPod> TypicalPods(std::span<const ClassCount> classes) {
  const int64_t total = TotalCount(classes);
  int64_t covered = 0;
  size_t prefix = 0;
  while (covered * 100 < total * kTypicalPercent) covered += classes[prefix++].count;
  std::vector<TypicalPod> typical;
  for (const ClassCount& entry : classes.first(prefix)) {
    typical.push_back(
        {entry.pod_class, static_cast<double>(entry.count) / static_cast<double>(covered)});
  }
  return typical;
}

MilliCpu CpuPerWholeGpu(std::span<const ClassCount> classes) {
  MilliCpu cpu;
  MilliGpu gpu;
  for (const auto& [pod_class, count] : classes) {
    if (pod_class.gpus == 0) continue;
    cpu += pod_class.cpu * count;
    gpu += TotalGpu(pod_class) * count;
  }
  return gpu == MilliGpu() ? MilliCpu() : MilliCpu(cpu.value() * kWholeGpu.value() / gpu.value());
}

// Probability of each size among the pods that want one GPU or a share of one.
std::map<int64_t, double> OneGpuSizes(std::span<const ClassCount> classes) {
  std::map<int64_t, double> sizes;
  double pods = 0;
  for (const auto& [pod_class, count] : classes) {
    if (pod_class.gpus != 1) continue;
    sizes[pod_class.per_gpu.value()] += static_cast<double>(count);
    pods += static_cast<double>(count);
  }
  for (auto& [size, probability] : sizes) probability /= pods;
  return sizes;
}

}  // namespace

PodClass ClassOf(const Demand& demand) {
  if (demand.gpus == 0) return {.cpu = demand.cpu};
  return {
      .cpu = demand.cpu, .per_gpu = demand.per_gpu, .gpus = demand.gpus, .models = demand.models};
}

WorkloadProfile::WorkloadProfile(std::string version, std::span<const ClassCount> classes)
    : version_(std::move(version)),
      classes_(MostFrequentFirst(classes)),
      typical_(TypicalPods(classes_)),
      cpu_per_gpu_(CpuPerWholeGpu(classes_)) {}

std::map<GpuModel, double> WorkloadProfile::Scarcity(
    const std::map<GpuModel, MilliGpu>& capacity) const {
  double total_capacity = 0;
  for (const auto& [model, has] : capacity) total_capacity += static_cast<double>(has.value());
  double total_demand = 0;
  for (const auto& [pod_class, count] : classes_) {
    total_demand += static_cast<double>((TotalGpu(pod_class) * count).value());
  }

  std::map<GpuModel, double> scarcity;
  for (const auto& [model, has] : capacity) scarcity[model] = 0;
  for (const auto& [pod_class, count] : classes_) {
    if (pod_class.gpus == 0 || pod_class.models.AllowsAny()) continue;
    double accepted = 0;
    for (const auto& [model, has] : capacity) {
      if (pod_class.models.Allows(model)) accepted += static_cast<double>(has.value());
    }
    if (accepted == 0) continue;
    const double demand =
        static_cast<double>((TotalGpu(pod_class) * count).value()) * total_capacity / total_demand;
    // In proportion to capacity: each accepted model is asked for the same share of what it has.
    for (const auto& [model, has] : capacity) {
      if (has > MilliGpu() && pod_class.models.Allows(model)) scarcity[model] += demand / accepted;
    }
  }
  return scarcity;
}

double WorkloadProfile::ExpectedFill(MilliGpu residual, double epsilon) const {
  BERTH_CHECK(epsilon > 0, "an estimate that waits for ever is not defined");
  const std::map<int64_t, double> sizes = OneGpuSizes(classes_);
  std::array<double, kWholeGpu.value() + 1> fill{};
  const int64_t limit = std::clamp(residual, MilliGpu(), kWholeGpu).value();
  for (int64_t left = 1; left <= limit; ++left) {
    double filled = 0;
    double arriving = 0;
    for (const auto& [size, probability] : sizes) {
      if (size > left) break;
      filled += probability * (static_cast<double>(size) + fill[left - size]);
      arriving += probability;
    }
    fill[left] = filled / (epsilon + arriving);
  }
  return fill[limit];
}

}  // namespace berth
