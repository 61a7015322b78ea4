#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/units.h"

namespace berth {

// How a node's GPUs are handed out. A node is one or the other, never both, so that each GPU is
// counted once.
enum class GpuAccounting {
  kNone,      // no GPU asked for, or none on the node
  kObserved,  // whole GPUs; the kubelet picks the device and Berth predicts which
  kManaged,   // milli-GPUs; Berth picks the device
};

// The GPU models that a pod accepts: alternatives such as {"A100", "H100"}; empty accepts any.
// An alternative matches a model when its words appear in a row among the model's words, where
// words are separated by '-', '_' or ' ' and case does not count: "A100" matches
// "NVIDIA-A100-SXM4-80GB" but "A10" does not.
class AllowedModels {
 public:
  AllowedModels() = default;
  explicit AllowedModels(std::vector<std::string> alternatives);  // kept sorted

  bool Allows(const GpuModel& model) const;
  bool AllowsAny() const { return alternatives_.empty(); }
  const std::vector<std::string>& alternatives() const { return alternatives_; }

  auto operator<=>(const AllowedModels&) const = default;

 private:
  std::vector<std::string> alternatives_;
};

// What one pod takes from the node it runs on.
struct Demand {
  MilliCpu cpu;
  MiB memory;
  int gpus = 0;      // number of GPUs, all on one node
  MilliGpu per_gpu;  // share of each; below kWholeGpu only when gpus == 1; 0 when gpus == 0
  GpuAccounting accounting = GpuAccounting::kNone;  // kNone exactly when gpus == 0
  AllowedModels models;                             // only meaningful when gpus > 0

  // Why this demand can be met nowhere, in plain words; empty when the demand is sound.
  // Set by whoever reads demand from outside; such a pod is refused on every node.
  std::string invalid;

  MilliGpu TotalGpu() const { return per_gpu * gpus; }
  bool IsShare() const { return gpus == 1 && per_gpu < kWholeGpu; }
  auto operator<=>(const Demand&) const = default;
};

// A pod as far as placement is concerned.
struct Pod {
  PodUid uid;
  std::string name;  // "namespace/name", for people
  Demand demand;
  std::optional<NodeName> node;  // where it is bound; nullopt while pending
  int priority = 0;              // higher goes first, as in Kubernetes
  std::optional<Seconds> expected_duration;

  bool operator==(const Pod&) const = default;
};

}  // namespace berth
