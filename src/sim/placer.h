#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "base/rng.h"
#include "berth/cluster_view.h"
#include "berth/policy.h"
#include "berth/result.h"
#include "cluster/online_profile.h"
#include "sim/node_scores.h"
#include "sim/sim_cluster.h"
#include "sim/sim_policy.h"
#include "sim/trace.h"

namespace berth {

// The demands of a pod list, each once.
struct Demands {
  explicit Demands(const std::vector<TracePod>& pods);

  std::vector<Demand> distinct;
  std::vector<uint32_t> of_pod;  // positions in `distinct`
};

// What policies are told beside the nodes, which are handed to them one by one: the mix, and
// whether pods leave.
ClusterViewPtr SurroundingsOf(const WorkloadProfilePtr& profile);

// Places demands on a cluster as a policy says.
class Placer {
 public:
  struct Place {
    size_t node = 0;
    GpuSet gpus;
  };

  // Everything but the profile outlives this. `rng` decides what the policy leaves to chance.
  Placer(const SimPolicy& policy, SimCluster& cluster, const Demands& demands,
         const WorkloadProfilePtr& profile, Rng& rng);

  // From now on the policy is told what Arrived() shows (OnlineProfile), and `profile` until then.
  void LearnFromArrivals() { online_.emplace(profile_); }
  void Arrived(size_t demand);

  // Whether the node has room for the demand of that number, and may take it.
  bool CanTake(size_t node, size_t demand) const { return node_scores_.CanTakeIt(node, demand); }

  // Places the demand of that number; nothing happens and nothing is returned when no node can take
  // it. Errors: the policy's.
  Result<std::optional<Place>> TryPlace(size_t demand);

  // The same on a node that is chosen by the policy's scores, of those that can take it.
  using Choose = std::function<size_t(const NodeScores::Row& scores)>;
  Result<std::optional<Place>> TryPlace(size_t demand, const Choose& choose);

 private:
  size_t AnyMax(const NodeScores::Row& scores);
  GpuSet ChooseGpus(const Node& node, const Demand& demand);
  GpuSet AnyThatFits(const Node& node, const Demand& demand);

  const SimPolicy& policy_;
  SimCluster& cluster_;
  const Demands& demands_;
  Rng& rng_;
  const ScorerPtr scorer_;
  WorkloadProfilePtr profile_;
  std::optional<OnlineProfile> online_;
  NodeScores node_scores_;
};

}  // namespace berth
