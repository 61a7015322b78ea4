#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "berth/node.h"
#include "berth/pod.h"
#include "berth/workload_profile.h"
#include "cluster/gpu_choice.h"

namespace berth {

// Nodes and pods of a size that makes arithmetic by hand easy.

inline NodeSpec GpuNode(const std::string& name, int gpus,
                        GpuAccounting accounting = GpuAccounting::kManaged) {
  return {.name = NodeName(name),
          .cpu = MilliCpu(64'000),
          .memory = MiB(262'144),
          .gpus = gpus,
          .model = GpuModel(gpus > 0 ? "T4" : ""),
          .accounting = gpus > 0 ? accounting : GpuAccounting::kNone};
}

inline Demand CpuOnly(int64_t milli) { return {.cpu = MilliCpu(milli), .memory = MiB(1'024)}; }

inline Demand WholeGpus(int count, GpuAccounting accounting = GpuAccounting::kManaged) {
  return {.cpu = MilliCpu(1'000),
          .memory = MiB(1'024),
          .gpus = count,
          .per_gpu = kWholeGpu,
          .accounting = accounting};
}

inline Demand Share(int64_t milli) {
  Demand demand = WholeGpus(1);
  demand.per_gpu = MilliGpu(milli);
  return demand;
}

inline Pod Pending(const std::string& uid, Demand demand) {
  return {.uid = PodUid(uid), .name = "default/" + uid, .demand = std::move(demand)};
}

inline Pod Bound(const std::string& uid, Demand demand, const std::string& node) {
  Pod pod = Pending(uid, std::move(demand));
  pod.node = NodeName(node);
  return pod;
}

inline GpuFreeList Milli(std::initializer_list<int64_t> milli) {
  GpuFreeList free;
  for (const int64_t value : milli) free.push_back(MilliGpu(value));
  return free;
}

inline GpuSet BestFitChooser(const Node& node, const Demand& demand, const WorkloadProfile&) {
  return ChooseGpusBestFit(node.free, demand);
}

inline WorkloadProfilePtr EmptyProfile() {
  return std::make_shared<const WorkloadProfile>("empty", std::vector<ClassCount>());
}

}  // namespace berth
