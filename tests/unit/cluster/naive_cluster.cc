#include "naive_cluster.h"

#include <algorithm>

#include "example_cluster.h"

namespace berth {

void NaiveCluster::UpsertNode(const NodeSpec& node) {
  const auto known = nodes_.find(node.name);
  if (known != nodes_.end() && known->second == node) return;
  for (Guest* guest : On(node.name)) guest->sits = false;
  nodes_[node.name] = node;
  SitAll(On(node.name));
}

void NaiveCluster::RemoveNode(const NodeName& name) {
  for (Guest* guest : On(name)) guest->sits = false;
  nodes_.erase(name);
}

void NaiveCluster::UpsertPod(const Pod& pod) {
  const std::optional<NodeName> before =
      pods_.contains(pod.uid) ? pods_.at(pod.uid).pod.node : std::nullopt;
  Guest& guest = pods_[pod.uid];
  if (guest.pod == pod) return;
  guest.pod = pod;
  guest.sits = false;
  if (before != pod.node) {
    const Seat none;
    guest.seat = none;
    if (before.has_value()) Settle(*before);
  }
  if (!pod.node.has_value() || !nodes_.contains(*pod.node)) return;
  Sit(guest);
  Settle(*pod.node);
}

void NaiveCluster::RemovePod(const PodUid& uid) {
  const auto known = pods_.find(uid);
  if (known == pods_.end()) return;
  const std::optional<NodeName> node = known->second.pod.node;
  pods_.erase(known);
  if (node.has_value()) Settle(*node);
}

void NaiveCluster::Renew(const Picture& picture) {
  const std::map<PodUid, Guest> before = std::move(pods_);
  pods_.clear();
  nodes_ = picture.nodes;
  for (const auto& [uid, pod] : picture.pods) {
    const auto known = before.find(uid);
    const bool stayed = known != before.end() && known->second.pod.node == pod.node;
    pods_[uid] = {.pod = pod, .seat = stayed ? known->second.seat : Seat()};
  }
  for (const auto& [name, node] : nodes_) SitAll(On(name));
}

Picture NaiveCluster::Facts() const {
  Picture facts{.nodes = nodes_};
  for (const auto& [uid, guest] : pods_) facts.pods.emplace(uid, guest.pod);
  return facts;
}

FreeState NaiveCluster::Free(const NodeName& name) const {
  FreeState free{.cpu = nodes_.at(name).cpu, .memory = nodes_.at(name).memory};
  for (const Guest* guest : SittingOn(name)) {
    free.cpu -= guest->pod.demand.cpu;
    free.memory -= guest->pod.demand.memory;
  }
  for (const int64_t used : Used(name)) {
    free.gpus.push_back(MilliGpu(used > 1'000 ? 0 : 1'000 - used));
  }
  return free;
}

ClusterTotals NaiveCluster::Totals() const {
  ClusterTotals totals;
  for (const auto& [name, node] : nodes_) {
    ++totals.nodes;
    totals.gpus += node.gpus;
    totals.gpu_capacity += kWholeGpu * node.gpus;
    const FreeState free = Free(name);
    totals.gpu_free += free.TotalGpu();
    totals.cpu_capacity += node.cpu;
    totals.cpu_free += free.cpu;
  }
  for (const auto& [uid, guest] : pods_) {
    totals.bound_pods += guest.pod.node.has_value() && nodes_.contains(*guest.pod.node) ? 1 : 0;
    totals.pending_pods += guest.pod.node.has_value() ? 0 : 1;
  }
  return totals;
}

int64_t NaiveCluster::ParkedPods() const {
  return std::count_if(pods_.begin(), pods_.end(), [&](const auto& entry) {
    const std::optional<NodeName>& node = entry.second.pod.node;
    return node.has_value() && !nodes_.contains(*node);
  });
}

int64_t NaiveCluster::OvercommittedNodes() const {
  return std::count_if(nodes_.begin(), nodes_.end(), [&](const auto& entry) {
    const FreeState free = Free(entry.first);
    const auto sitting = SittingOn(entry.first);
    return free.cpu < MilliCpu() || free.memory < MiB() ||
           std::any_of(sitting.begin(), sitting.end(),
                       [](const Guest* guest) { return guest->seat.squeezed; });
  });
}

std::string NaiveCluster::BrokenInvariant() const {
  for (const auto& [name, node] : nodes_) {
    std::vector<int64_t> properly(static_cast<size_t>(node.gpus), 0);
    for (const Guest* guest : SittingOn(name)) {
      const std::string& uid = guest->pod.uid.value();
      const int wanted = guest->pod.demand.gpus;
      if (guest->seat.gpus.size() != static_cast<size_t>(std::min(wanted, node.gpus))) {
        return uid + " holds a wrong number of GPUs";
      }
      if (guest->seat.squeezed) {
        if (Fits(*guest, Used(name, guest))) return uid + " is squeezed and need not be";
        continue;
      }
      for (const uint8_t gpu : guest->seat.gpus) {
        properly[gpu] += guest->pod.demand.per_gpu.value();
        if (properly[gpu] > 1'000) return uid + " sits where another sits";
      }
    }
  }
  return "";
}

NaiveCluster::Guests NaiveCluster::On(const NodeName& name) {
  Guests guests;
  for (auto& [uid, guest] : pods_) {
    if (guest.pod.node == name) guests.push_back(&guest);
  }
  return guests;
}

std::vector<const NaiveCluster::Guest*> NaiveCluster::SittingOn(const NodeName& name) const {
  std::vector<const Guest*> sitting;
  for (const auto& [uid, guest] : pods_) {
    if (guest.sits && guest.pod.node == name) sitting.push_back(&guest);
  }
  return sitting;
}

std::vector<int64_t> NaiveCluster::Used(const NodeName& name, const Guest* without) const {
  std::vector<int64_t> used(static_cast<size_t>(nodes_.at(name).gpus), 0);
  for (const Guest* guest : SittingOn(name)) {
    if (guest == without) continue;
    for (const uint8_t gpu : guest->seat.gpus) used[gpu] += guest->pod.demand.per_gpu.value();
  }
  return used;
}

bool NaiveCluster::Fits(const Guest& guest, const std::vector<int64_t>& used) const {
  const int64_t share = guest.pod.demand.per_gpu.value();
  return std::count_if(used.begin(), used.end(), [&](int64_t milli) {
           return milli + share <= 1'000;
         }) >= guest.pod.demand.gpus;
}

void NaiveCluster::Sit(Guest& guest) {
  const NodeName& name = *guest.pod.node;
  const Demand& demand = guest.pod.demand;
  const std::vector<int64_t> used = Used(name);
  const size_t seats = std::min(static_cast<size_t>(demand.gpus), used.size());
  const GpuSet& former = guest.seat.gpus;
  const bool has_seat = former.size() == seats && (seats == 0 || former.back() < used.size());
  const bool keeps = has_seat && seats == static_cast<size_t>(demand.gpus) &&
                     std::all_of(former.begin(), former.end(), [&](uint8_t gpu) {
                       return used[gpu] + demand.per_gpu.value() <= 1'000;
                     });
  guest.seat.squeezed = !keeps && !Fits(guest, used);
  if (!keeps && !guest.seat.squeezed) {
    const Node node{.spec = std::make_shared<const NodeSpec>(nodes_.at(name)), .free = Free(name)};
    guest.seat.gpus = demand.invalid.empty() ? choose_gpus_(node, demand, *EmptyProfile())
                                             : ChooseGpusBestFit(node.free, demand);
  } else if (!keeps && !has_seat) {
    std::vector<std::pair<int64_t, uint8_t>> least_used;
    for (size_t gpu = 0; gpu < used.size(); ++gpu) least_used.emplace_back(used[gpu], gpu);
    std::sort(least_used.begin(), least_used.end());
    guest.seat.gpus.clear();
    for (size_t i = 0; i < seats; ++i) guest.seat.gpus.push_back(least_used[i].second);
    std::sort(guest.seat.gpus.begin(), guest.seat.gpus.end());
  }
  guest.sits = true;
}

void NaiveCluster::SitAll(Guests standing) {
  std::stable_sort(standing.begin(), standing.end(), [](const Guest* a, const Guest* b) {
    return a->pod.demand.TotalGpu() > b->pod.demand.TotalGpu();
  });
  for (Guest* guest : standing) {
    if (guest->seat.squeezed) continue;
    const GpuSet former = guest->seat.gpus;
    Guest trial = *guest;
    Sit(trial);
    if (!trial.seat.squeezed && trial.seat.gpus == former) *guest = trial;
  }
  for (Guest* guest : standing) {
    if (!guest->sits) Sit(*guest);
  }
}

// Squeezed pods look for room.
void NaiveCluster::Settle(const NodeName& name) {
  if (!nodes_.contains(name)) return;
  Guests squeezed;
  for (Guest* guest : On(name)) {
    if (!guest->sits || !guest->seat.squeezed) continue;
    guest->sits = false;
    squeezed.push_back(guest);
  }
  SitAll(squeezed);
}

}  // namespace berth
