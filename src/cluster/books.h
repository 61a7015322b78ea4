#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "berth/cluster_view.h"
#include "berth/node.h"
#include "berth/pod.h"
#include "berth/workload_profile.h"
#include "cluster/node_books.h"
#include "cluster/oddity_log.h"

namespace berth {

// Everything that exists, as one list.
struct Picture {
  std::map<NodeName, NodeSpec> nodes;
  std::map<PodUid, Pod> pods;
};

// One node and everything on it.
struct NodeState {
  NodeSpec node;
  std::vector<Pod>
      pods;  // in the order in which they take their GPUs; where they say they are is passed over
};

// Who holds what on which node: plain bookkeeping for one thread, without epochs or views.
//
// An event costs the same whatever the number of nodes. A statement replaces the earlier one about
// the same node or pod, and repeating it changes nothing. A pod bound to a node that is not known
// is parked until the node is stated, and again when the node goes. Pods whose demand is invalid
// hold what could be read of it. GPUs are held as NodeBooks says. Nothing that is stated can break
// the books; what looks wrong is recorded as an oddity.
class Books {
 public:
  // Empty books. `oddities` outlives this.
  Books(GpuChooser choose_gpus, WorkloadProfilePtr profile, OddityLog& oddities);

  // Books about `picture`, with the rule of `before`: pods that it knows on the same node keep
  // their GPUs, and generations go on from its own.
  Books(const Books& before, const Picture& picture);

  Books(const Books&) = delete;
  Books& operator=(const Books&) = delete;

  // The GPUs of pods without known indices are chosen for that mix from now on.
  void SetProfile(WorkloadProfilePtr profile) { rule_.profile = std::move(profile); }

  // Each returns whether anything changed.
  bool UpsertNode(NodeSpec stated);
  bool RemoveNode(const NodeName& name);
  bool UpsertPod(Pod pod);
  bool RemovePod(const PodUid& uid);

  // All at once: `changed` nodes hold just the pods stated, `gone` nodes are gone with theirs. A
  // pod may move from one of them to another. REQUIRES: no node and no pod is stated twice.
  bool Restate(std::span<const NodeState> changed, std::span<const NodeName> gone);

  // Null when the node is not known. Valid until the next event.
  const Node* Find(const NodeName& name) const;
  // What is left of a node once it has taken `demands`, in this order; what does not fit leaves no
  // trace. Nothing changes here.
  FreeState AfterPlacing(const Node& node, std::span<const Demand> demands) const;
  // The node as it would be without some pods and then with others; what does not fit leaves no
  // trace. Pods that are not there are passed over. REQUIRES: the node is known.
  Node WhatIf(const NodeName& name, std::span<const PodUid> without,
              std::span<const Demand> with) const;
  // Names of the known nodes, sorted.
  std::vector<NodeName> NodeNames() const;
  // Whether the pod is known and bound, to a known node or another.
  bool IsBound(const PodUid& uid) const;
  // Where the pod sits, or while it is parked where it sat; no GPUs for a pod that holds none.
  Seat SeatOf(const PodUid& uid) const;

  ClusterTotals totals() const;
  int64_t parked_pods() const { return parked_pods_; }
  int64_t overcommitted_nodes() const { return overcommitted_nodes_; }

  // Nodes that came, went or changed since the last call.
  absl::flat_hash_set<NodeName> TakeChangedNodes();

  // Of the pods that were heard of for the first time since the last call, bound or not, one for
  // each; pods with an invalid demand are left out.
  std::vector<PodClass> TakeArrivals();

 private:
  bool KeepOnly(std::span<const Pod> pods, const NodeName& on);
  void Arrived(const Pod& pod);
  void Place(const Pod& pod, const Seat& former);
  void Displace(const Pod& pod);
  template <class Change>
  void ChangeNode(const NodeName& name, Change change);
  void Account(const NodeBooks& books, int sign);
  void RecordOddities(const Pod& pod);

  SeatingRule rule_;
  absl::flat_hash_map<NodeName, NodeBooks> nodes_;  // also those not known that have parked pods
  absl::flat_hash_map<PodUid, Pod> pods_;
  absl::flat_hash_set<NodeName> changed_nodes_;
  std::vector<PodClass> arrivals_;
  ClusterTotals totals_;  // but for the pending pods
  int64_t parked_pods_ = 0;
  int64_t overcommitted_nodes_ = 0;
};

}  // namespace berth
