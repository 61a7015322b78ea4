#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/rng.h"
#include "berth/node.h"
#include "berth/pod.h"
#include "berth/workload_profile.h"

namespace berth {

// Random nodes and pods in the proportions of the public openb trace (Alibaba GPU trace 2023).

inline int64_t Uniform(Rng& rng, int64_t least, int64_t most) {
  return std::uniform_int_distribution<int64_t>(least, most)(rng);
}

// One of the shapes of the openb cluster.
inline NodeSpec RandomSpec(Rng& rng, std::string name) {
  struct Shape {
    const char* model;
    int gpus;
    int64_t cores, gib;
  };
  static constexpr Shape kShapes[] = {
      {"G2", 8, 96, 384},      {"T4", 2, 104, 512},     {"T4", 4, 96, 384},
      {"G3", 8, 128, 768},     {"P100", 2, 16, 120},    {"P100", 2, 64, 256},
      {"V100M16", 4, 32, 128}, {"V100M32", 8, 96, 768}, {"A10", 1, 128, 1024},
      {"V100M16", 8, 82, 336},
  };
  const Shape& shape = kShapes[Uniform(rng, 0, std::size(kShapes) - 1)];
  return {.name = NodeName(std::move(name)),
          .cpu = MilliCpu(shape.cores * 1000),
          .memory = MiB(shape.gib * 1024),
          .gpus = shape.gpus,
          .model = GpuModel(shape.model),
          .accounting = GpuAccounting::kManaged};
}

// Anything from idle to full; about a third of the GPUs idle, a third full, the rest partly used.
inline FreeState RandomFree(Rng& rng, const NodeSpec& spec) {
  FreeState free = IdleState(spec);
  if (Uniform(rng, 0, 9) == 0) return free;
  free.cpu = MilliCpu(Uniform(rng, 0, spec.cpu.value() / 100) * 100);
  free.memory = MiB(Uniform(rng, 0, spec.memory.value()));
  for (MilliGpu& gpu : free.gpus) {
    const int64_t kind = Uniform(rng, 0, 2);
    if (kind > 0) gpu = MilliGpu(kind == 1 ? 0 : Uniform(rng, 0, 100) * 10);
  }
  return free;
}

inline Node RandomNode(Rng& rng, std::string name) {
  auto spec = std::make_shared<const NodeSpec>(RandomSpec(rng, std::move(name)));
  FreeState free = RandomFree(rng, *spec);
  return {.spec = std::move(spec), .free = std::move(free)};
}

// Names sort as the positions do, up to 99,999 nodes.
inline std::vector<Node> RandomNodes(Rng& rng, size_t count) {
  std::vector<Node> nodes;
  for (size_t i = 0; i < count; ++i) {
    const std::string digits = std::to_string(i);
    nodes.push_back(RandomNode(rng, "node-" + std::string(5 - digits.size(), '0') + digits));
  }
  return nodes;
}

// Mostly shares and single GPUs, some CPU-only pods and some with several GPUs; a few accept only
// some models.
inline Demand RandomDemand(Rng& rng) {
  Demand demand{.cpu = MilliCpu(Uniform(rng, 1, 160) * 100),
                .memory = MiB(Uniform(rng, 0, 30'000))};
  const int64_t kind = Uniform(rng, 0, 9);
  if (kind == 0) return demand;
  demand.accounting = GpuAccounting::kManaged;
  demand.gpus = kind < 9 ? 1 : 1 << Uniform(rng, 1, 3);
  demand.per_gpu = kind < 5 ? MilliGpu(Uniform(rng, 1, 99) * 10) : kWholeGpu;
  if (Uniform(rng, 0, 9) == 0) demand.models = AllowedModels({"T4", "V100M16"});
  return demand;
}

// The mix of as many random pods.
inline WorkloadProfilePtr RandomProfile(Rng& rng, size_t pods) {
  std::vector<ClassCount> classes;
  for (size_t i = 0; i < pods; ++i) classes.push_back({ClassOf(RandomDemand(rng)), 1});
  return std::make_shared<const WorkloadProfile>("random", classes);
}

}  // namespace berth
