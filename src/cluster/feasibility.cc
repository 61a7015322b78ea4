#include "cluster/feasibility.h"

#include <algorithm>

namespace berth {
namespace {

Refusal CheckGpus(const Room& room, const Demand& demand) {
  if (demand.IsShare()) {
    return room.largest_share >= demand.per_gpu ? Refusal::kNone : Refusal::kNoFreeShare;
  }
  return room.whole_gpus >= demand.gpus ? Refusal::kNone : Refusal::kTooFewFreeGpus;
}

// Like kube-scheduler, lets a pod that asks for none of a resource onto a node that has none left.
Refusal CheckCpuAndMemory(const Room& room, const Demand& demand) {
  if (demand.cpu > MilliCpu() && demand.cpu > room.cpu) return Refusal::kCpu;
  if (demand.memory > MiB() && demand.memory > room.memory) return Refusal::kMemory;
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

Room RoomIn(const FreeState& free) {
  Room room{.cpu = free.cpu, .memory = free.memory};
  for (const MilliGpu gpu : free.gpus) {
    room.largest_share = std::max(room.largest_share, gpu);
    room.whole_gpus += gpu == kWholeGpu ? 1 : 0;
  }
  return room;
}

Refusal CheckStatic(const NodeSpec& node, const Demand& demand) {
  if (!demand.invalid.empty()) return Refusal::kInvalidDemand;
  if (demand.gpus == 0) return Refusal::kNone;
  if (node.gpus == 0 || node.accounting != demand.accounting) return Refusal::kNoSuchGpus;
  if (!demand.models.Allows(node.model)) return Refusal::kModelNotAllowed;
  if (demand.gpus > node.gpus) return Refusal::kTooFewGpus;
  return Refusal::kNone;
}

Refusal CheckRoom(const Room& room, const Demand& demand) {
  const Refusal refusal = demand.gpus > 0 ? CheckGpus(room, demand) : Refusal::kNone;
  return refusal == Refusal::kNone ? CheckCpuAndMemory(room, demand) : refusal;
}

Refusal CheckFit(const Node& node, const Demand& demand) {
  const Refusal refusal = CheckStatic(*node.spec, demand);
  return refusal == Refusal::kNone ? CheckRoom(RoomIn(node.free), demand) : refusal;
}

Refusal CheckBeyondKubeScheduler(const Node& node, const Demand& demand) {
  const Refusal refusal = CheckStatic(*node.spec, demand);
  if (refusal != Refusal::kNone || demand.accounting != GpuAccounting::kManaged) return refusal;
  return CheckGpus(RoomIn(node.free), demand);
}

}  // namespace berth
