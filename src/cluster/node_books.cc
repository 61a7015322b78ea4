#include "cluster/node_books.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "cluster/gpu_choice.h"

namespace berth {
namespace {

// Whether these are as many GPUs of the node as the pod holds, free or not.
bool AreSeats(const GpuSet& gpus, const Demand& demand, const GpuFreeList& free) {
  const size_t held = std::min(static_cast<size_t>(demand.gpus), free.size());
  const bool ascending =
      std::adjacent_find(gpus.begin(), gpus.end(), std::greater_equal<>()) == gpus.end();
  return gpus.size() == held && ascending && (gpus.empty() || gpus.back() < free.size());
}

// Whether a pod can have just these GPUs.
bool AreFree(const GpuSet& gpus, const Demand& demand, const GpuFreeList& free) {
  return gpus.size() == static_cast<size_t>(demand.gpus) && AreSeats(gpus, demand, free) &&
         std::all_of(gpus.begin(), gpus.end(),
                     [&](uint8_t gpu) { return free[gpu] >= demand.per_gpu; });
}

}  // namespace

GpuSet SeatingRule::Choose(const Node& node, const Demand& demand) const {
  const GpuSet best_fit = ChooseGpusBestFit(node.free, demand);
  if (best_fit.empty() || !demand.invalid.empty()) return best_fit;
  const GpuSet chosen = choose_gpus(node, demand, *profile);
  if (AreFree(chosen, demand, node.free.gpus)) return chosen;
  oddities.Record(Oddity::kGpuChoiceImpossible, node.name().value(), "");
  return best_fit;
}

void NodeBooks::SetSpec(NodeSpec spec) {
  for (auto& [uid, resident] : residents_) StandUp(resident);
  node_.free = IdleState(spec);
  node_.spec = std::make_shared<const NodeSpec>(std::move(spec));
  node_.generation = ++rule_->last_generation;
  used_.assign(node_.free.gpus.size(), MilliGpu());
  SeatAllStanding();
}

void NodeBooks::Forget() {
  for (auto& [uid, resident] : residents_) StandUp(resident);
  node_.spec = nullptr;
}

void NodeBooks::Put(const PodUid& uid, Demand demand, const Seat& former) {
  const auto [place, is_new] = residents_.try_emplace(uid);
  Resident& resident = place->second;
  if (is_new) resident.seat = former;
  StandUp(resident);
  resident.demand = std::move(demand);
  if (!known()) return;
  SitDown(uid, resident);
  ReseatSqueezed();
}

void NodeBooks::Remove(const PodUid& uid) {
  const auto place = residents_.find(uid);
  BERTH_CHECK(place != residents_.end(), "the pod is on this node");
  StandUp(place->second);
  residents_.erase(place);
  if (known()) ReseatSqueezed();
}

std::vector<PodUid> NodeBooks::PodUids() const {
  std::vector<PodUid> uids;
  for (const auto& [uid, resident] : residents_) uids.push_back(uid);
  return uids;
}

bool NodeBooks::overcommitted() const {
  return known() && (squeezed_ > 0 || node_.free.cpu < MilliCpu() || node_.free.memory < MiB());
}

// REQUIRES: known(), and the pod stands.
void NodeBooks::SitDown(const PodUid& uid, Resident& resident) {
  const Demand& demand = resident.demand;
  Seat& seat = resident.seat;
  const bool was_squeezed = std::exchange(seat.squeezed, false);
  if (!AreFree(seat.gpus, demand, node_.free.gpus)) {
    const GpuSet free = rule_->Choose(node_, demand);
    seat.squeezed = free.empty() && demand.gpus > 0;
    if (!seat.squeezed) {
      seat.gpus = free;
    } else if (!AreSeats(seat.gpus, demand, node_.free.gpus)) {
      seat.gpus = LeastUsed(demand);
    }
  }
  resident.seated = true;
  Take(resident, 1);
  if (!seat.squeezed) return;
  ++squeezed_;
  if (!was_squeezed) {
    rule_->oddities.Record(Oddity::kPodOvercommitted, uid.value(), node_.name().value());
  }
}

void NodeBooks::StandUp(Resident& resident) {
  if (!resident.seated) return;
  Take(resident, -1);
  if (resident.seat.squeezed) --squeezed_;
  resident.seated = false;
}

void NodeBooks::SeatAllStanding() {
  std::vector<Residents::pointer> standing;
  for (auto& entry : residents_) {
    if (!entry.second.seated) standing.push_back(&entry);
  }
  const auto size = [](Residents::const_pointer entry) { return entry->second.demand.TotalGpu(); };
  std::stable_sort(standing.begin(), standing.end(),
                   [&](auto* a, auto* b) { return size(a) > size(b); });
  for (auto* entry : standing) {
    Resident& resident = entry->second;
    const bool keeps =
        !resident.seat.squeezed && AreFree(resident.seat.gpus, resident.demand, node_.free.gpus);
    if (keeps) SitDown(entry->first, resident);
  }
  for (auto* entry : standing) {
    if (!entry->second.seated) SitDown(entry->first, entry->second);
  }
}

void NodeBooks::ReseatSqueezed() {
  if (squeezed_ == 0) return;
  for (auto& [uid, resident] : residents_) {
    if (resident.seated && resident.seat.squeezed) StandUp(resident);
  }
  SeatAllStanding();
}

void NodeBooks::Take(const Resident& resident, int sign) {
  node_.free.cpu -= resident.demand.cpu * sign;
  node_.free.memory -= resident.demand.memory * sign;
  for (const uint8_t gpu : resident.seat.gpus) {
    used_[gpu] += resident.demand.per_gpu * sign;
    node_.free.gpus[gpu] = std::max(kWholeGpu - used_[gpu], MilliGpu());
  }
  node_.generation = ++rule_->last_generation;
}

GpuSet NodeBooks::LeastUsed(const Demand& demand) const {
  GpuSet gpus(used_.size());
  for (size_t gpu = 0; gpu < gpus.size(); ++gpu) gpus[gpu] = static_cast<uint8_t>(gpu);
  std::stable_sort(gpus.begin(), gpus.end(),
                   [&](uint8_t a, uint8_t b) { return used_[a] < used_[b]; });
  gpus.resize(std::min(static_cast<size_t>(demand.gpus), gpus.size()));
  std::sort(gpus.begin(), gpus.end());
  return gpus;
}

}  // namespace berth
