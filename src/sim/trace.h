#pragma once

#include <string_view>
#include <vector>

#include "berth/node.h"
#include "berth/result.h"
#include "berth/workload_profile.h"
#include "sim/trace_pod.h"

namespace berth {

// What is simulated.
struct Trace {
  std::vector<NodeSpec> nodes;
  std::vector<TracePod> pods;
  WorkloadProfilePtr profile;  // what policies are told about the mix
  // They are told what the pods that arrived earlier show (OnlineProfile), and `profile` until
  // then.
  bool online = false;
};

// Whether there is something to simulate: a node with GPUs and a pod that asks for one.
// Errors: INVALID_ARGUMENT that begins with where the nodes, or the pods, are from.
Status CheckPlayable(const Trace& trace, std::string_view nodes_from, std::string_view pods_from);

}  // namespace berth
