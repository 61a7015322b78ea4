#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "berth/node.h"
#include "berth/pod.h"

namespace berth {

// What Berth thinks of one node for a pod.
struct NodeVerdict {
  NodeName node;
  bool known = true;      // false: the service knows no such node, and nothing below is stated but
                          // the reason
  bool feasible = false;  // can take the pod by Berth's books (CPU and memory included)
  bool cordoned = false;  // cordoned or not ready: kube-scheduler leaves it out, whatever is free
  std::string reason;     // why not, in plain words; empty when feasible
  float score = 0;        // the policy's, when feasible; higher is better; no fixed scale
  GpuSet gpus;            // that the pod would get, when feasible and it asks for GPUs
  FreeState free;
  GpuModel model;

  bool operator==(const NodeVerdict&) const = default;
};

// Everything Berth thinks of a pod.
struct Explanation {
  Demand demand;
  std::vector<NodeVerdict> nodes;  // feasible ones in rank order, then the others by name
  std::string policy;              // that answered; empty when no node is feasible
  uint64_t cluster_version = 0;    // of the view that was read
  std::string ignored_wish;        // what could not be understood and was passed over; empty: none

  bool operator==(const Explanation&) const = default;
};

}  // namespace berth
