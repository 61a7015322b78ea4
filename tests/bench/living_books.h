#pragma once

#include <absl/strings/str_cat.h>

#include <random>

#include "base/metrics.h"
#include "bench/busy_cluster.h"
#include "cluster/cluster_state.h"
#include "policy/heuristics.h"
#include "support/captured_log.h"

namespace berth {

// Books about a busy cluster, kept by the same policy as in `berth serve`, and pods that come and
// go.
class LivingBooks {
 public:
  LivingBooks(const WorkloadProfilePtr& profile, size_t nodes, size_t pods_per_node)
      : rng_(nodes),
        cluster_(MakeBusyCluster(*profile, nodes, nodes * pods_per_node, rng_)),
        policy_(MakeFgdBestFit()),
        state_(
            [policy = policy_](const Node& node, const Demand& demand, const WorkloadProfile& mix) {
              return policy->ChooseGpus(node, demand, mix);
            },
            profile, metrics_, log_.logger()) {
    state_.BeginEpoch();
    for (const NodeSpec& node : cluster_.nodes) state_.UpsertNode(node);
    for (const Pod& pod : cluster_.pods) state_.UpsertPod(pod);
    state_.CompleteEpoch();
  }

  // Two events: a pod ends, and another of its kind starts in its place.
  void ReplaceOnePod() {
    Pod& pod =
        cluster_.pods[std::uniform_int_distribution<size_t>(0, cluster_.pods.size() - 1)(rng_)];
    state_.RemovePod(pod.uid);
    pod.uid = PodUid(absl::StrCat("later-", ++replaced_));
    state_.UpsertPod(pod);
  }

  ClusterViewPtr View() const { return state_.View(); }

 private:
  Rng rng_;
  BusyCluster cluster_;
  Metrics metrics_;
  CapturedLog log_;
  ScorerPtr policy_;
  ClusterState state_;
  uint64_t replaced_ = 0;
};

}  // namespace berth
