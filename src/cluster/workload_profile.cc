#include "berth/workload_profile.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "base/check.h"
#include "cluster/fragmentation_tables.h"
#include "cluster/state_tables.h"

namespace berth {
namespace {

constexpr int64_t kTypicalPercent = 95;

// What so many pods of the class ask for together.
double WholeGpus(const PodClass& pod_class, int64_t count) {
  return static_cast<double>((pod_class.per_gpu * pod_class.gpus * count).value()) /
         static_cast<double>(kWholeGpu.value());
}

double WholeGpus(const Fleet& fleet) {
  double gpus = 0;
  for (const auto& [model, has] : fleet.gpus) gpus += static_cast<double>(has.value()) / 1000;
  return gpus;
}

double InCores(MilliCpu cpu) { return static_cast<double>(cpu.value()) / 1000; }

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
  double cpu = 0;
  double gpus = 0;
  for (const auto& [pod_class, count] : classes) {
    if (pod_class.gpus == 0) continue;
    cpu += static_cast<double>(pod_class.cpu.value()) * static_cast<double>(count);
    gpus += WholeGpus(pod_class, count);
  }
  return MilliCpu(gpus > 0 ? std::llround(cpu / gpus) : 0);
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
      cpu_per_gpu_(CpuPerWholeGpu(classes_)),
      fragmentation_tables_(std::make_shared<const FragmentationTables>(typical_)),
      state_tables_(std::make_shared<const StateTables>(*this)) {}

WorkloadProfile WorkloadProfile::On(const Fleet& fleet) const {
  WorkloadProfile profile = *this;
  profile.fleet_ = fleet;
  profile.state_tables_ = std::make_shared<const StateTables>(profile);
  return profile;
}

WorkloadProfile WorkloadProfile::WithDepartures(bool pods_leave) const {
  WorkloadProfile profile = *this;
  profile.pods_leave_ = pods_leave;
  return profile;
}

MixStatistics WorkloadProfile::statistics() const {
  MixStatistics mix;
  double cpu = 0, gpus = 0;
  for (const auto& [pod_class, count] : classes_) {
    const double wanted = WholeGpus(pod_class, count);
    cpu += InCores(pod_class.cpu) * static_cast<double>(count);
    gpus += wanted;
    if (!pod_class.models.AllowsAny()) mix.constrained += wanted;
    if (pod_class.gpus > 1) mix.several_gpus += wanted;
    if (pod_class.gpus == 1 && pod_class.per_gpu < kWholeGpu) mix.shares += wanted;
  }
  if (gpus == 0) return {};
  for (double* part : {&mix.constrained, &mix.shares, &mix.several_gpus}) *part /= gpus;
  const double fleet_gpus = WholeGpus(fleet_);
  if (fleet_.cpu > MilliCpu()) mix.cpu_pressure = cpu / gpus * fleet_gpus / InCores(fleet_.cpu);
  return mix;
}

std::map<GpuModel, double> WorkloadProfile::Scarcity(
    const std::map<GpuModel, MilliGpu>& capacity) const {
  double total_demand = 0;
  for (const auto& [pod_class, count] : classes_) total_demand += WholeGpus(pod_class, count);
  MilliGpu total_capacity;
  for (const auto& [model, has] : capacity) total_capacity += has;

  std::map<GpuModel, double> scarcity;
  for (const auto& [model, has] : capacity) scarcity[model] = 0;
  for (const auto& [pod_class, count] : classes_) {
    if (pod_class.gpus == 0 || pod_class.models.AllowsAny()) continue;
    std::vector<GpuModel> accepted;
    MilliGpu accepted_capacity;
    for (const auto& [model, has] : capacity) {
      if (has == MilliGpu() || !pod_class.models.Allows(model)) continue;
      accepted.push_back(model);
      accepted_capacity += has;
    }
    if (accepted.empty()) continue;
    // In proportion to capacity: every accepted model loses the same share of what it has.
    const double share = WholeGpus(pod_class, count) / total_demand *
                         static_cast<double>(total_capacity.value()) /
                         static_cast<double>(accepted_capacity.value());
    for (const GpuModel& model : accepted) scarcity[model] += share;
  }
  return scarcity;
}

double WorkloadProfile::ExpectedFill(MilliGpu residual, double epsilon) const {
  return ExpectedFills(epsilon)[std::clamp(residual, MilliGpu(), kWholeGpu).value()];
}

std::vector<double> WorkloadProfile::ExpectedFills(double epsilon) const {
  BERTH_CHECK(epsilon > 0, "an estimate that waits for ever is not defined");
  const std::map<int64_t, double> sizes = OneGpuSizes(classes_);
  std::vector<double> fill(kWholeGpu.value() + 1);
  for (int64_t left = 1; left <= kWholeGpu.value(); ++left) {
    double filled = 0;
    double arriving = 0;
    for (const auto& [size, probability] : sizes) {
      if (size > left) break;
      filled += probability * (static_cast<double>(size) + fill[left - size]);
      arriving += probability;
    }
    fill[left] = filled / (epsilon + arriving);
  }
  return fill;
}

}  // namespace berth
