#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "base/log.h"
#include "base/metrics.h"
#include "berth/cluster_view.h"
#include "berth/node.h"
#include "berth/pod.h"
#include "cluster/books.h"

namespace berth {

// The live cluster: events in, immutable views out.
//
// One writer applies events; any number of readers call View(). An event costs the same whatever
// the number of nodes; the work of building a view is done by the first View() after a change.
//
// Epochs: a feeder that lists everything anew begins an epoch; its events build new books aside
// while readers keep the old ones, and CompleteEpoch swaps them in. GPUs of a pod that both books
// know on the same node stay where they were.
//
// Events are idempotent and tolerate any order (see Books); oddities are counted and logged once
// per kind and object, and never crash.
class ClusterState {
 public:
  // `choose_gpus` says which GPUs a pod without known indices is taken to hold: the rule of the
  // policy in charge. `metrics` and `log` outlive this.
  ClusterState(GpuChooser choose_gpus, WorkloadProfilePtr profile, Metrics& metrics, Logger& log);

  void BeginEpoch();     // also drops an epoch that was begun and never completed
  void CompleteEpoch();  // REQUIRES: an epoch was begun
  void AbandonEpoch();   // back to the old books; nothing happens when none was begun

  // These go to the epoch being built, if any, else to the books in use.
  void UpsertNode(NodeSpec node);
  void RemoveNode(const NodeName& name);
  void UpsertPod(Pod pod);
  void RemovePod(const PodUid& uid);

  // False until the first epoch is complete.
  bool Ready() const;

  // The books in use. Never null; empty until the first epoch is complete.
  ClusterViewPtr View() const;
};

}  // namespace berth
