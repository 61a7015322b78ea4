#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "berth/feature_column.h"
#include "berth/node.h"
#include "berth/workload_profile.h"

namespace berth {

class StateTables;
struct StateTable;

// What a policy can read about a node with certain resources free: how useful what is left is to
// the work that comes. Worked out together, since the numbers share most of what they need.
inline constexpr size_t kStateFeatures = 40;
using StateFeatures = std::array<float, kStateFeatures>;

// Names, units and meanings, in the order of StateFeatures.
std::span<const FeatureColumn> StateFeatureTable();

// The order of the GPUs does not matter, nor does free memory. CPU below zero feeds nothing.
StateFeatures FeaturesOf(const NodeSpec& node, const FreeState& free,
                         const WorkloadProfile& profile);

// The same for who has looked up the tables, which are those of the profile and the node's model.
StateFeatures FeaturesOf(const NodeSpec& node, const FreeState& free, const StateTables& mix,
                         const StateTable& model);

}  // namespace berth
