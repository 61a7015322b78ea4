#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "berth/node.h"
#include "berth/pod.h"
#include "berth/workload_profile.h"
#include "cluster/oddity_log.h"

namespace berth {

// Which GPUs a pod takes on a node that can take it (Scorer::ChooseGpus of the policy in charge).
using GpuChooser = std::function<GpuSet(const Node&, const Demand&, const WorkloadProfile&)>;

// What the books of all nodes share.
struct SeatingRule {
  // The GPUs that a pod takes; empty when too few are free. A choice that cannot be is recorded as
  // an oddity and best-fit chooses.
  GpuSet Choose(const Node& node, const Demand& demand) const;

  GpuChooser choose_gpus;
  WorkloadProfilePtr profile;
  OddityLog& oddities;
  uint64_t last_generation = 0;
};

// Which GPUs a pod holds.
struct Seat {
  GpuSet gpus;
  bool squeezed = false;  // they were not free when the pod was put there

  bool operator==(const Seat&) const = default;
};

// Who holds what on one node, whether or not the node is known.
//
// While it is not, its pods are parked: they hold nothing but remember their seats. Once it is,
// each pod holds CPU, memory and GPUs. A pod for which no GPUs are free is squeezed: it stays where
// it was, else it is put on the least used GPUs (as many as there are), and it moves to free ones
// as soon as there are any. When several pods have to be seated, first those keep their GPUs that
// had them to themselves and find them free; the others follow by falling size (ties: by UID).
class NodeBooks {
 public:
  // `rule` outlives this.
  explicit NodeBooks(SeatingRule& rule) : rule_(&rule) {}
  // A copy of `other` for itself. `rule` outlives this.
  NodeBooks(const NodeBooks& other, SeatingRule& rule) : NodeBooks(other) { rule_ = &rule; }

  // The node is as stated: every pod is seated anew, at the GPUs it had where they are free.
  void SetSpec(NodeSpec spec);
  // The node is not known any more: its pods are parked.
  void Forget();

  bool known() const { return node_.spec != nullptr; }
  // REQUIRES: known().
  const Node& node() const { return node_; }

  // The pod is here and takes `demand`. It keeps its GPUs while they are what it asks for; a pod
  // that is new here is taken to have sat on `former`.
  void Put(const PodUid& uid, Demand demand, const Seat& former);
  // REQUIRES: the pod is here.
  void Remove(const PodUid& uid);

  std::vector<PodUid> PodUids() const;  // sorted
  int64_t pods() const { return static_cast<int64_t>(residents_.size()); }
  // Where a pod sits that is here; while parked, where it sat.
  const Seat& SeatOf(const PodUid& uid) const { return residents_.at(uid).seat; }

  // More is held than there is: of GPUs, CPU or memory.
  bool overcommitted() const;

 private:
  struct Resident {
    Demand demand;
    Seat seat;  // the last one, when not seated
    bool seated = false;
  };
  using Residents = std::map<PodUid, Resident>;

  void SitDown(const PodUid& uid, Resident& resident);
  void StandUp(Resident& resident);
  void SeatAllStanding();
  void ReseatSqueezed();
  void Take(const Resident& resident, int sign);

  GpuSet LeastUsed(const Demand& demand) const;

  SeatingRule* rule_;
  Node node_;
  std::vector<MilliGpu> used_;  // per GPU; above kWholeGpu when pods are squeezed
  Residents residents_;
  int64_t squeezed_ = 0;
};

}  // namespace berth
