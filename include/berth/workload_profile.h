#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "berth/node.h"
#include "berth/pod.h"
#include "berth/units.h"

namespace berth {

// Pods that count as the same kind of work. Memory is left out on purpose, as in the FGD paper.
struct PodClass {
  MilliCpu cpu;
  MilliGpu per_gpu;  // 0 when gpus == 0
  int gpus = 0;
  AllowedModels models;

  auto operator<=>(const PodClass&) const = default;
};

PodClass ClassOf(const Demand& demand);

struct ClassCount {
  PodClass pod_class;
  int64_t count = 0;

  bool operator==(const ClassCount&) const = default;
};

struct TypicalPod {
  PodClass pod_class;
  double probability = 0;  // over the typical pods; they sum up to 1

  bool operator==(const TypicalPod&) const = default;
};

// The nodes that a mix of work meets, in sum.
struct Fleet {
  std::map<GpuModel, MilliGpu> gpus;
  MilliCpu cpu;

  bool operator==(const Fleet&) const = default;
};

// What share of a mix is of some sort: what tells mixes apart.
struct MixStatistics {
  double constrained = 0;   // of the GPU demand, by pods that accept only some models
  double shares = 0;        // of the GPU demand, by pods that ask for a share of one GPU
  double several_gpus = 0;  // of the GPU demand, by pods that ask for more than one
  double cpu_pressure = 0;  // CPU demand per GPU demand, over the fleet's CPU per GPU; 0: unknown
};

class FragmentationTables;
class StateTables;

// The mix of work that a cluster serves: how often each class of pods arrives, and what follows
// from that. One immutable, versioned input for FGD and learned policies alike.
//
// Source of the typical pods: "Beware of Fragmentation" (Weng et al., USENIX ATC'23), as coded in
// its simulator: classes by falling count (ties: larger CPU, larger share, more GPUs, larger model
// list first); the shortest prefix that holds 95 % of the pods, renormalised.
class WorkloadProfile {
 public:
  // `version` tells profiles apart in caches and logs. Classes may repeat; counts are added up.
  // Of pods that leave, on a fleet that is not known.
  WorkloadProfile(std::string version, std::span<const ClassCount> classes);

  // The same mix on that fleet.
  WorkloadProfile On(const Fleet& fleet) const;
  // The same mix of pods that leave, or of pods that only arrive (packing).
  WorkloadProfile WithDepartures(bool pods_leave) const;

  const std::string& version() const { return version_; }

  // Every class, most frequent first, in the order described above.
  std::span<const ClassCount> classes() const { return classes_; }

  // Empty only for an empty profile.
  std::span<const TypicalPod> typical_pods() const { return typical_; }

  // CPU that pods with GPUs ask for, per whole GPU (kappa). 0 without GPU pods.
  MilliCpu CpuPerGpu() const { return cpu_per_gpu_; }

  // Whether pods also leave: where they do, what is free now is free again later.
  bool pods_leave() const { return pods_leave_; }

  const Fleet& fleet() const { return fleet_; }

  MixStatistics statistics() const;

  // Demand of pods that accept only some models as a share of what the models have, per model of
  // `capacity` (milli-GPU in the cluster), with total GPU demand scaled to the total capacity.
  // A pod that accepts several models counts for each in proportion to its capacity.
  std::map<GpuModel, double> Scarcity(const std::map<GpuModel, MilliGpu>& capacity) const;

  // How much of a partly used GPU's `residual` share pods will come and fill. Over the one-GPU
  // sizes d <= r with probability p_d among one-GPU pods:
  //   E(r) = sum p_d (d + E(r - d)) / (epsilon + sum p_d),  E = 0 where nothing fits.
  // `epsilon` > 0 is how impatient the estimate is. Not below 0, not above `residual`.
  double ExpectedFill(MilliGpu residual, double epsilon) const;
  // The same for every residual from 0 to kWholeGpu.
  std::vector<double> ExpectedFills(double epsilon) const;

  // What Fragmentation() (cluster/fragmentation.h) keeps about each GPU model. Thread-safe.
  const FragmentationTables& fragmentation_tables() const { return *fragmentation_tables_; }

  // What FeaturesOf() (cluster/state_features.h) keeps. Thread-safe.
  const std::shared_ptr<const StateTables>& state_tables() const { return state_tables_; }

 private:
  std::string version_;
  std::vector<ClassCount> classes_;
  std::vector<TypicalPod> typical_;
  MilliCpu cpu_per_gpu_;
  Fleet fleet_;
  bool pods_leave_ = true;
  std::shared_ptr<const FragmentationTables> fragmentation_tables_;  // one for all copies
  std::shared_ptr<const StateTables> state_tables_;  // one for all copies on the same fleet
};

using WorkloadProfilePtr = std::shared_ptr<const WorkloadProfile>;

}  // namespace berth
