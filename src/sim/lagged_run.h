#pragma once

#include <cstddef>

#include "berth/policy.h"
#include "berth/result.h"
#include "sim/event_order.h"
#include "sim/packing_run.h"
#include "sim/trace.h"

namespace berth {

// What the service knows when it decides.
struct Lag {
  size_t placements = 0;     // so many of the latest it has not seen yet
  bool expectations = true;  // it expects pods where it ranked them first (ClusterState::Expect)
};

// RunPacking() with a service that learns from a watch: the service's own books and views, told of
// each placement only after `lag.placements` more, and a kube-scheduler that knows better. It
// filters by what it has assumed itself, which is exact but knows sums only (CPU, memory and
// milli-GPU of a node), leaves out the nodes that the service refuses, and takes the one that is
// ranked first.
//
// Where the GPUs are not free there, because the service did not know, the pod is crowded: it fails
// to start and is tried again once as many placements have followed as the service is behind.
//
// REQUIRES: as RunPacking(); a score depends on what Scorer says, and nodes are managed. Errors:
// the policy's.
Result<PackingResult> RunLagged(const ScorerPtr& policy, const Trace& trace,
                                const EventOrder& order, const Lag& lag);

}  // namespace berth
