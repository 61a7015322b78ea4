#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "base/log.h"
#include "base/metrics.h"
#include "berth/clock.h"
#include "berth/cluster_view.h"
#include "berth/node.h"
#include "berth/pod.h"
#include "cluster/books.h"
#include "cluster/cluster_metrics.h"
#include "cluster/expectations.h"
#include "cluster/gone_pods.h"
#include "cluster/oddity_log.h"
#include "cluster/online_profile.h"
#include "cluster/view_publisher.h"

namespace berth {

// The live cluster: events in, immutable views out.
//
// One writer applies events; any number of readers call View() and Ready(). An event costs the same
// whatever the number of nodes; the work of building a view is done by the first View() after a
// change. (Should there be two writers for a moment, they wait for each other.)
//
// Epochs: a feeder that lists everything anew begins an epoch; its events are collected aside while
// readers keep the old books, and CompleteEpoch swaps new books in. GPUs of a pod that both books
// know on the same node stay where they were.
//
// Events are idempotent and tolerate any order (see Books); a pod that is gone stays gone, because
// its UID is never used again. Events are counted in berth_cluster_events_total{kind,outcome};
// oddities are counted in berth_cluster_oddities_total{kind}, logged once per kind and object, and
// never crash. Gauges berth_cluster_* tell what the books in use hold.
//
// The mix of work is the one given, or is learned from the pods that are heard of (OnlineProfile):
// each counts once, also those that are there when the first epoch is complete.
class ClusterState {
 public:
  enum class Mix { kGiven, kLearned };

  // `choose_gpus` says which GPUs a pod without known indices is taken to hold: the rule of the
  // policy in charge. It is called while events are applied and must not call back.
  // `metrics` and `log` outlive this.
  // With Mix::kLearned `profile` is the mix until enough pods have come.
  ClusterState(GpuChooser choose_gpus, WorkloadProfilePtr profile, Metrics& metrics, Logger& log,
               Mix mix = Mix::kGiven);

  void BeginEpoch();     // also drops an epoch that was begun and never completed
  void CompleteEpoch();  // REQUIRES: an epoch was begun
  void AbandonEpoch();   // back to the old books; nothing happens when none was begun

  // These go to the epoch being built, if any, else to the books in use.
  void UpsertNode(NodeSpec node);
  void RemoveNode(const NodeName& name);
  void UpsertPod(Pod pod);
  void RemovePod(const PodUid& uid);

  // For a feeder that always tells the whole state of a node, and of which pods may come back that
  // were gone (Books::Restate, Picture). Both drop an epoch that was begun.
  void Renew(const Picture& picture);
  void Restate(std::span<const NodeState> changed, std::span<const NodeName> gone);

  // False until the first epoch is complete.
  bool Ready() const;

  // The books in use. Never null; empty until something is applied to them.
  ClusterViewPtr View() const;

  // See Books; nullopt when the node is not known.
  std::optional<Node> WhatIf(const NodeName& name, std::span<const PodUid> without,
                             std::span<const Demand> with) const;

  // The pod has been ranked onto the node and will probably show up there. Ends when it is bound
  // (anywhere), removed or withdrawn, or has not come for Expectations::kLongest.
  void Expect(const PodUid& uid, const NodeName& node, const Demand& demand, Clock::TimePoint now);
  void Withdraw(const PodUid& uid);

  // View() with every expected pod where it is expected, as far as it fits there: for ranking. The
  // totals, the context and the version are those of View().
  ClusterViewPtr ExpectedView(Clock::TimePoint now) const;

 private:
  // Books count their generations from 1, also while new ones are being built beside those in use.
  static constexpr uint64_t kFirstExpectedGeneration = uint64_t{1} << 63;

  void Swap(const Picture& picture);   // REQUIRES: writing_ held
  void LearnMix();                     // REQUIRES: writing_ held
  ClusterViewPtr CurrentView() const;  // REQUIRES: mutex_ held
  template <class Change>
  void Apply(ClusterMetrics::Event event, Change change);
  void OnChange();

  // Taken by writers throughout; `mutex_` is taken within it.
  std::mutex writing_;
  ClusterMetrics metrics_;
  Logger& log_;
  OddityLog oddities_;
  std::optional<OnlineProfile> learned_mix_;
  GonePods gone_;
  std::optional<Picture> epoch_;

  // What writers and readers share.
  mutable std::mutex mutex_;
  std::unique_ptr<Books> books_;  // pods and holdings are written under both mutexes
  ClusterContext context_;
  bool ready_ = false;
  mutable Expectations expectations_;
  mutable uint64_t expected_generation_ = kFirstExpectedGeneration;  // of the last expected state
  mutable ViewPublisher publisher_;
  mutable bool stale_ = true;    // the last view is out of date
  mutable bool renewed_ = true;  // and was of other books
  mutable ClusterViewPtr view_;
};

}  // namespace berth
