#include "sim/stepped_packing.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/check.h"
#include "cluster/feasibility.h"
#include "cluster/fragmentation.h"
#include "cluster/gpu_choice.h"

namespace berth {

SteppedPacking::SteppedPacking(const Trace& trace, const EventOrder& order)
    : trace_(trace),
      demands_(trace.pods),
      arrivals_(order.arrivals),
      cluster_(trace.nodes),
      static_fit_(cluster_.nodes(), demands_.distinct),
      curve_(cluster_.gpu_capacity()),
      who_can_(trace.nodes.size()) {
  GoOn();
}

const Demand* SteppedPacking::waiting() const {
  if (next_ == arrivals_.size()) return nullptr;
  return &trace_.pods[arrivals_[next_]].demand;
}

SteppedPacking::Outcome SteppedPacking::Place(size_t node) {
  BERTH_CHECK(node < who_can_.size() && !over_, "there is such a node, and a pod for it");
  if (who_can_[node] != 0) {
    Seat(node);
    GoOn();
  } else {
    outcome_.left_out += waiting()->TotalGpu();
    over_ = true;
  }
  return std::exchange(outcome_, {});
}

// Leaves out whoever fits nowhere.
void SteppedPacking::GoOn() {
  for (FindWhoCan(); waiting() != nullptr; FindWhoCan()) {
    if (std::ranges::find(who_can_, 1) != who_can_.end()) return;
    outcome_.left_out += waiting()->TotalGpu();
    Arrived();
  }
  over_ = true;
}

void SteppedPacking::FindWhoCan() {
  std::ranges::fill(who_can_, 0);
  if (waiting() == nullptr) return;
  const uint32_t number = demands_.of_pod[arrivals_[next_]];
  const Demand& demand = demands_.distinct[number];
  for (size_t node = 0; node < who_can_.size(); ++node) {
    who_can_[node] = static_fit_.Holds(node, number) &&
                     CheckRoom(cluster_.RoomOf(node), demand) == Refusal::kNone;
  }
}

void SteppedPacking::Seat(size_t number) {
  const Demand& demand = *waiting();
  const Node& node = cluster_.nodes()[number];
  const GpuSet gpus = ChooseGpusBestFit(node.free, demand);
  const std::array<FreeState, 2> states = {node.free, AfterPlacing(node.free, demand, gpus)};
  std::array<double, 2> fragmentations;
  Fragmentations(node.spec->model, states, *trace_.profile, fragmentations);
  cluster_.Place(number, demand, gpus);
  outcome_.placed = demand.TotalGpu();
  outcome_.fragmentation = fragmentations[1] - fragmentations[0];
  Arrived();
}

// The pod that waits is dealt with.
void SteppedPacking::Arrived() {
  arrived_ += waiting()->TotalGpu();
  curve_.Add(arrived_, cluster_.gpu_used());
  ++next_;
}

}  // namespace berth
