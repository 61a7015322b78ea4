#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "berth/pod.h"
#include "berth/units.h"
#include "sim/event_order.h"
#include "sim/inflation_curve.h"
#include "sim/placer.h"
#include "sim/sim_cluster.h"
#include "sim/static_fit.h"
#include "sim/trace.h"

namespace berth {

// A packing run (sim/packing_run.h) in which somebody else decides: it stops at each arrival that
// some node can take, and is told which node does. What fits nowhere is left out on the way, as
// there. It is over when all have arrived, or one was sent to a node that cannot take it.
class SteppedPacking {
 public:
  // What has happened since the decision before this one.
  struct Outcome {
    MilliGpu placed;           // what the pod has taken
    MilliGpu left_out;         // what was asked for by pods that get no place
    double fragmentation = 0;  // by how much F has grown (cluster/fragmentation.h), in milli-GPU
  };

  // The nodes stay in the order of the trace, which outlives this. REQUIRES: as RunPacking().
  SteppedPacking(const Trace& trace, const EventOrder& order);

  bool over() const { return over_; }

  // What the pod asks for that waits for a decision; null when all have arrived.
  const Demand* waiting() const;

  // A 1 for each node that can take that pod, 0 for others; all 0 when none waits.
  std::span<const int8_t> who_can_take_it() const { return who_can_; }

  // Sends the pod to a node, where a share gets the GPU that it fits best (ChooseGpusBestFit), and
  // goes on to the next decision. Where the node cannot take it, the pod goes on waiting and it is
  // over. REQUIRES: there is such a node, and it is not over.
  Outcome Place(size_t node);

  const SimCluster& cluster() const { return cluster_; }
  const InflationCurve& curve() const { return curve_; }

 private:
  void GoOn();
  void FindWhoCan();
  void Seat(size_t node);
  void Arrived();

  const Trace& trace_;
  const Demands demands_;
  const std::vector<uint32_t> arrivals_;
  SimCluster cluster_;
  const StaticFit static_fit_;
  InflationCurve curve_;
  MilliGpu arrived_;
  size_t next_ = 0;  // of the arrivals: the one that waits
  bool over_ = false;
  std::vector<int8_t> who_can_;
  Outcome outcome_;  // so far
};

}  // namespace berth
