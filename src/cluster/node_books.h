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
  GpuChooser choose_gpus;
  WorkloadProfilePtr profile;
  OddityLog& oddities;
  uint64_t last_generation = 0;
};

// Who holds what on one node, whether or not the node is known.
//
// While it is not, its pods are parked: they hold nothing but keep the GPU indices they had. Once
// it is, each pod holds CPU, memory and GPUs. A pod for which no GPUs are free is squeezed: it is
// put on those it had before, else on the least used ones, and moves to free ones as soon as there
// are any. Whenever several pods have to be seated, those whose former GPUs are free keep them, and
// the others follow by falling size (ties: by UID).
class NodeBooks {
 public:
  // `rule` outlives this.
  explicit NodeBooks(SeatingRule& rule) : rule_(&rule) {}

  // The node is as stated: every pod is seated anew, at the GPUs it had where they are free.
  void SetSpec(NodeSpec spec);
  // The node is not known any more: its pods are parked.
  void Forget();

  bool known() const { return node_.spec != nullptr; }
  // REQUIRES: known().
  const Node& node() const { return node_; }

  // The pod is here and takes `demand`. It keeps its GPUs where they still are what it asks for;
  // a pod that is new here gets those of `former` under the same condition.
  void Put(const PodUid& uid, Demand demand, const GpuSet& former);
  // REQUIRES: the pod is here.
  void Remove(const PodUid& uid);

  int64_t pods() const { return static_cast<int64_t>(residents_.size()); }
  // The GPUs of a pod that is here; while parked, those it had.
  const GpuSet& GpusOf(const PodUid& uid) const { return residents_.at(uid).gpus; }

  // More is held than there is: of GPUs, CPU or memory.
  bool overcommitted() const;

 private:
  struct Resident {
    Demand demand;
    GpuSet gpus;
    bool seated = false;
    bool squeezed = false;  // its GPUs were not free when it was last seated
  };
  using Residents = std::map<PodUid, Resident>;

  void Seat(const PodUid& uid, Resident& resident);
  void Unseat(Resident& resident);
  void SeatAll();
  void ReseatSqueezed();
  void Take(const Resident& resident, int sign);

  bool AreFree(const GpuSet& gpus, const Demand& demand) const;
  bool AreSeats(const GpuSet& gpus, const Demand& demand) const;
  GpuSet ChooseFree(const Demand& demand) const;
  GpuSet LeastUsed(const Demand& demand) const;

  SeatingRule* rule_;
  Node node_;
  std::vector<MilliGpu> used_;  // per GPU; above kWholeGpu when pods are squeezed
  Residents residents_;
  int64_t squeezed_ = 0;
};

}  // namespace berth
