#include "cluster/feasibility.h"

#include <algorithm>

namespace berth {
namespace {

// What no departure of pods can change.
Refusal CheckStatic(const NodeSpec& node, const Demand& demand) {
  if (!demand.invalid.empty()) return Refusal::kInvalidDemand;
  if (demand.gpus == 0) return Refusal::kNone;
  if (node.gpus == 0 || node.accounting != demand.accounting) return Refusal::kNoSuchGpus;
  if (!demand.models.Allows(node.model)) return Refusal::kModelNotAllowed;
  if (demand.gpus > node.gpus) return Refusal::kTooFewGpus;
  return Refusal::kNone;
}

Refusal CheckGpus(const FreeState& free, const Demand& demand) {
  const auto fits = [&](MilliGpu gpu) { return gpu >= demand.per_gpu; };
  if (std::count_if(free.gpus.begin(), free.gpus.end(), fits) >= demand.gpus) {
    return Refusal::kNone;
  }
  return demand.IsShare() ? Refusal::kNoFreeShare : Refusal::kTooFewFreeGpus;
}

// Like kube-scheduler, lets a pod that asks for none of a resource onto a node that has none left.
Refusal CheckCpuAndMemory(const FreeState& free, const Demand& demand) {
  if (demand.cpu > MilliCpu() && demand.cpu > free.cpu) return Refusal::kCpu;
  if (demand.memory > MiB() && demand.memory > free.memory) return Refusal::kMemory;
  return Refusal::kNone;
}

}  // namespace

bool IsStatic(Refusal refusal) {
  switch (refusal) {
    case Refusal::kInvalidDemand:
    case Refusal::kNoSuchGpus:
    case Refusal::kModelNotAllowed:
    case Refusal::kTooFewGpus:
      return true;
    case Refusal::kNone:
    case Refusal::kNoFreeShare:
    case Refusal::kTooFewFreeGpus:
    case Refusal::kCpu:
    case Refusal::kMemory:
      return false;
  }
  return false;
}

std::string_view Reason(Refusal refusal) {
  switch (refusal) {
    case Refusal::kNone:
      return "";
    case Refusal::kInvalidDemand:
      return "the pod's demand cannot be met on any node";
    case Refusal::kNoSuchGpus:
      return "the node does not offer the GPU resource asked for";
    case Refusal::kModelNotAllowed:
      return "the node's GPU model is not one of those asked for";
    case Refusal::kTooFewGpus:
      return "the node has fewer GPUs than asked for";
    case Refusal::kNoFreeShare:
      return "no single GPU has the free share asked for";
    case Refusal::kTooFewFreeGpus:
      return "fewer wholly free GPUs than asked for";
    case Refusal::kCpu:
      return "not enough free CPU";
    case Refusal::kMemory:
      return "not enough free memory";
  }
  return "";
}

Refusal CheckFit(const Node& node, const Demand& demand) {
  Refusal refusal = CheckStatic(*node.spec, demand);
  if (refusal == Refusal::kNone && demand.gpus > 0) refusal = CheckGpus(node.free, demand);
  if (refusal == Refusal::kNone) refusal = CheckCpuAndMemory(node.free, demand);
  return refusal;
}

Refusal CheckBeyondKubeScheduler(const Node& node, const Demand& demand) {
  const Refusal refusal = CheckStatic(*node.spec, demand);
  if (refusal != Refusal::kNone || demand.accounting != GpuAccounting::kManaged) return refusal;
  return CheckGpus(node.free, demand);
}

}  // namespace berth
