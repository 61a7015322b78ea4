#pragma once

#include <string_view>

#include "berth/node.h"
#include "berth/pod.h"

namespace berth {

// Why a node cannot take a pod. The order is the order of the checks.
enum class Refusal {
  kNone,
  kInvalidDemand,    // never, on any node
  kNoSuchGpus,       // the node has no GPUs, or hands them out the other way
  kModelNotAllowed,  // never, on this node
  kTooFewGpus,       // never: the node has fewer GPUs than the pod asks for
  kNoFreeShare,      // not now: no single GPU has the free share
  kTooFewFreeGpus,   // not now: fewer wholly free GPUs than asked for
  kCpu,              // not now
  kMemory,           // not now
};

// True when no departure of pods can change the refusal.
bool IsStatic(Refusal refusal);

// One short sentence for people, the same for every node and pod, because kube-scheduler counts
// equal texts; for example "no single GPU has the free share asked for".
std::string_view Reason(Refusal refusal);

// Whether the node can take the demand by its books: for ranking, explanations and simulation.
Refusal CheckFit(const Node& node, const Demand& demand);

// CheckFit() in its two parts, for who asks about the same node or the same demand often: first
// what no departure of pods can change,
Refusal CheckStatic(const NodeSpec& node, const Demand& demand);

// then what can. All that it looks at:
struct Room {
  MilliCpu cpu;
  MiB memory;
  MilliGpu largest_share;  // the most that is free on one GPU
  int whole_gpus = 0;      // that nobody uses
};
Room RoomIn(const FreeState& free);
// REQUIRES: CheckStatic() refuses nothing.
Refusal CheckRoom(const Room& room, const Demand& demand);

// What the extender refuses. kube-scheduler itself counts CPU, memory and whole-GPU totals, pods
// that it has assumed included, so here a lagging watch may not add refusals of that kind: nothing
// about CPU and memory, and on an observed node only what can never fit.
Refusal CheckBeyondKubeScheduler(const Node& node, const Demand& demand);

}  // namespace berth
