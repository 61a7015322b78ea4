#pragma once

#include <span>

#include "berth/features.h"

namespace berth {

// One way of placing a pod.
struct Placement {
  const Node& node;
  const Demand& demand;
  const FreeState& after;  // of the node
  const WorkloadProfile& profile;
};

struct PlacementColumn {
  FeatureColumn about;
  double (*value)(const Placement&);
};

struct ContextColumn {
  FeatureColumn about;
  double (*value)(const ClusterContext&, const WorkloadProfile&);
};

// The tables of all columns but those of the node's state, which are called after its features
// (cluster/state_features.h): NAME_before without the pod, NAME_after with it. Append only, and
// never change what a name means: trained policies read by name. No column may depend on how many
// pods have arrived so far, or combine that with the profile: on a replayed trace it would look
// into the future.
std::span<const PlacementColumn> PlacementTable();
std::span<const ContextColumn> ContextTable();

}  // namespace berth
