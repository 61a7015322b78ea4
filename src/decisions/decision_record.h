#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "berth/cluster_view.h"
#include "policy/decision.h"

namespace berth {

// Candidates that are equal in all that a policy looks at (policy/node_groups.h).
struct CandidateClass {
  Node example;  // the first of them by name; its spec is shared
  int64_t nodes = 0;
  float score = 0;  // of each
};

// What is kept of a decision: all that it takes to make it again, in a bounded size.
struct DecisionRecord {
  static constexpr size_t kMaxClasses = 64;

  uint64_t request = 0;
  WallClock::TimePoint time;  // to the microsecond once it was stored
  DecidedPod pod;
  Demand demand;
  WorkloadProfilePtr profile;  // never null
  ClusterContext context;
  int64_t nodes = 0;     // that were looked at
  int64_t feasible = 0;  // of them could take the pod
  // Of those that could, the best kMaxClasses, best first. The example of the first is the choice,
  // the second is the runner-up. Empty: no node could take the pod.
  std::vector<CandidateClass> classes;
  int64_t more_classes = 0;  // that were left out, none better than those kept
  GpuSet gpus;               // that the choice would give; they are free there
  std::string asked;         // the policy whose turn it was
  std::string version;       // of that; empty: it is built in
  std::string policy;        // that answered; empty when no node could take the pod
  std::string guard;         // why another than the one asked answered; empty: it did
  std::chrono::nanoseconds latency{0};
};

// Whether the GPUs are as many as the pod asks for, each with its share free.
bool AreFree(const GpuSet& gpus, const FreeState& free, const Demand& demand);

// The GPUs are those that the policy asked would give. A choice that cannot be is best-fit's
// instead.
DecisionRecord RecordOf(const Decision& decision);

// The cluster of the logged candidates: the example of each class. Enough for a policy to decide
// again, as it may look at nothing else (berth/policy.h).
ClusterViewPtr ViewOf(const DecisionRecord& record);

}  // namespace berth
