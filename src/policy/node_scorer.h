#pragma once

#include <string_view>

#include "berth/policy.h"

namespace berth {

// How good a node is for the pod, from these two alone.
using NodeScore = double (*)(const Node& node, const Demand& demand);

// A policy that is no more than one cheap formula. `name` is a literal.
ScorerPtr MakeNodeScorer(std::string_view name, NodeScore score);

}  // namespace berth
