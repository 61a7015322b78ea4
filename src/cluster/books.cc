#include "cluster/books.h"

#include <algorithm>
#include <utility>

#include "cluster/feasibility.h"

namespace berth {
namespace {

// Far above any real quantity, and far enough below the limits that sums cannot overflow.
constexpr int64_t kMost = int64_t{1} << 44;

template <class Unit>
Unit Clamp(Unit quantity) {
  return std::clamp(quantity, Unit(), Unit(kMost));
}

NodeSpec InRange(NodeSpec node) {
  node.cpu = Clamp(node.cpu);
  node.memory = Clamp(node.memory);
  node.gpus = std::clamp(node.gpus, 0, kMaxGpusPerNode);
  return node;
}

Demand InRange(Demand demand) {
  demand.cpu = Clamp(demand.cpu);
  demand.memory = Clamp(demand.memory);
  demand.gpus = std::max(demand.gpus, 0);
  demand.per_gpu = std::clamp(demand.per_gpu, MilliGpu(), kWholeGpu);
  return demand;
}

bool SameGpus(const NodeSpec& a, const NodeSpec& b) {
  return a.gpus == b.gpus && a.accounting == b.accounting;
}

}  // namespace

Books::Books(GpuChooser choose_gpus, WorkloadProfilePtr profile, OddityLog& oddities)
    : rule_{std::move(choose_gpus), std::move(profile), oddities} {}

Books::Books(const Books& before, const Picture& picture) : rule_(before.rule_) {
  for (const auto& [uid, pod] : picture.pods) {
    const auto known = before.pods_.find(uid);
    const bool stayed = known != before.pods_.end() && known->second.node == pod.node;
    pods_.emplace(uid, pod);
    if (known == before.pods_.end()) Arrived(pod);
    Place(pod, stayed ? before.SeatOf(uid) : Seat());
  }
  for (const auto& [name, node] : picture.nodes) UpsertNode(node);
  for (const auto& [uid, pod] : picture.pods) RecordOddities(pod);
}

bool Books::UpsertNode(NodeSpec stated) {
  const NodeName name = stated.name;
  NodeSpec spec = InRange(stated);
  if (spec != stated) rule_.oddities.Record(Oddity::kNodeOutOfRange, name.value(), "");
  const Node* known = Find(name);
  if (known != nullptr && *known->spec == spec) return false;
  ChangeNode(name, [&](NodeBooks& node) {
    if (node.known() && node.pods() > 0 && !SameGpus(*node.node().spec, spec)) {
      rule_.oddities.Record(Oddity::kNodeReshaped, name.value(), "");
    }
    node.SetSpec(std::move(spec));
  });
  return true;
}

bool Books::RemoveNode(const NodeName& name) {
  if (Find(name) == nullptr) return false;
  ChangeNode(name, [&](NodeBooks& node) {
    if (node.pods() > 0) rule_.oddities.Record(Oddity::kNodeGoneWithPods, name.value(), "");
    node.Forget();
  });
  return true;
}

bool Books::UpsertPod(Pod pod) {
  const auto [place, is_new] = pods_.try_emplace(pod.uid);
  Pod& known = place->second;
  if (!is_new && known == pod) return false;
  if (known.node != pod.node && known.node.has_value()) {
    const Oddity oddity = pod.node.has_value() ? Oddity::kPodMoved : Oddity::kPodUnbound;
    rule_.oddities.Record(oddity, pod.uid.value(), pod.name);
    Displace(known);
  }
  known = std::move(pod);
  if (is_new) Arrived(known);
  Place(known, {});
  RecordOddities(known);
  return true;
}

bool Books::RemovePod(const PodUid& uid) {
  const auto known = pods_.find(uid);
  if (known == pods_.end()) return false;
  Displace(known->second);
  pods_.erase(known);
  return true;
}

bool Books::Restate(std::span<const NodeState> changed, std::span<const NodeName> gone) {
  bool any = false;
  for (const NodeName& name : gone) {
    any |= KeepOnly({}, name);
    any |= RemoveNode(name);
  }
  // Who leaves, leaves first, so that a pod which moves is free to come.
  for (const NodeState& state : changed) any |= KeepOnly(state.pods, state.node.name);
  for (const NodeState& state : changed) {
    any |= UpsertNode(state.node);
    for (Pod pod : state.pods) {
      pod.node = state.node.name;
      any |= UpsertPod(std::move(pod));
    }
  }
  return any;
}

// Removes the pods on the node that are not among `pods`.
bool Books::KeepOnly(std::span<const Pod> pods, const NodeName& on) {
  const auto found = nodes_.find(on);
  if (found == nodes_.end()) return false;
  absl::flat_hash_set<PodUid> staying;
  for (const Pod& pod : pods) staying.insert(pod.uid);
  bool any = false;
  for (const PodUid& uid : found->second.PodUids()) {
    if (!staying.contains(uid)) any |= RemovePod(uid);
  }
  return any;
}

const Node* Books::Find(const NodeName& name) const {
  const auto found = nodes_.find(name);
  return found == nodes_.end() || !found->second.known() ? nullptr : &found->second.node();
}

FreeState Books::AfterPlacing(const Node& node, std::span<const Demand> demands) const {
  Node after = node;
  for (const Demand& demand : demands) {
    if (CheckFit(after, demand) != Refusal::kNone) continue;
    after.free = berth::AfterPlacing(after.free, demand, rule_.Choose(after, demand));
  }
  return after.free;
}

Node Books::WhatIf(const NodeName& name, std::span<const PodUid> without,
                   std::span<const Demand> with) const {
  SeatingRule rule = rule_;
  NodeBooks books(nodes_.at(name), rule);
  const absl::flat_hash_set<PodUid> leaving(without.begin(), without.end());
  for (const PodUid& uid : books.PodUids()) {
    if (leaving.contains(uid)) books.Remove(uid);
  }
  Node node = books.node();
  node.free = AfterPlacing(node, with);
  return node;
}

std::vector<NodeName> Books::NodeNames() const {
  std::vector<NodeName> names;
  for (const auto& [name, node] : nodes_) {
    if (node.known()) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool Books::IsBound(const PodUid& uid) const {
  const auto pod = pods_.find(uid);
  return pod != pods_.end() && pod->second.node.has_value();
}

Seat Books::SeatOf(const PodUid& uid) const {
  const auto pod = pods_.find(uid);
  if (pod == pods_.end() || !pod->second.node.has_value()) return {};
  return nodes_.at(*pod->second.node).SeatOf(uid);
}

ClusterTotals Books::totals() const {
  ClusterTotals totals = totals_;
  totals.pending_pods = static_cast<int64_t>(pods_.size()) - totals_.bound_pods - parked_pods_;
  return totals;
}

absl::flat_hash_set<NodeName> Books::TakeChangedNodes() {
  return std::exchange(changed_nodes_, {});
}

std::vector<PodClass> Books::TakeArrivals() { return std::exchange(arrivals_, {}); }

void Books::Arrived(const Pod& pod) {
  if (pod.demand.invalid.empty()) arrivals_.push_back(ClassOf(pod.demand));
}

// Where the pod is bound, it takes what it asks for.
void Books::Place(const Pod& pod, const Seat& former) {
  if (!pod.node.has_value()) return;
  ChangeNode(*pod.node, [&](NodeBooks& node) { node.Put(pod.uid, InRange(pod.demand), former); });
}

void Books::Displace(const Pod& pod) {
  if (!pod.node.has_value()) return;
  ChangeNode(*pod.node, [&](NodeBooks& node) { node.Remove(pod.uid); });
}

template <class Change>
void Books::ChangeNode(const NodeName& name, Change change) {
  const auto place = nodes_.try_emplace(name, rule_).first;
  NodeBooks& node = place->second;
  Account(node, -1);
  change(node);
  Account(node, 1);
  changed_nodes_.insert(name);
  if (!node.known() && node.pods() == 0) nodes_.erase(place);
}

void Books::Account(const NodeBooks& books, int sign) {
  if (!books.known()) {
    parked_pods_ += books.pods() * sign;
    return;
  }
  const NodeSpec& spec = *books.node().spec;
  const FreeState& free = books.node().free;
  totals_.nodes += sign;
  totals_.gpus += spec.gpus * sign;
  totals_.gpu_capacity += kWholeGpu * spec.gpus * sign;
  totals_.gpu_free += free.TotalGpu() * sign;
  totals_.cpu_capacity += spec.cpu * sign;
  totals_.cpu_free += free.cpu * sign;
  totals_.bound_pods += books.pods() * sign;
  overcommitted_nodes_ += books.overcommitted() ? sign : 0;
}

void Books::RecordOddities(const Pod& pod) {
  if (!pod.node.has_value()) return;
  if (!pod.demand.invalid.empty()) {
    rule_.oddities.Record(Oddity::kPodInvalid, pod.uid.value(),
                          pod.name + ": " + pod.demand.invalid);
  }
  if (Find(*pod.node) == nullptr) {
    rule_.oddities.Record(Oddity::kPodParked, pod.uid.value(),
                          pod.name + " on " + pod.node->value());
  }
}

}  // namespace berth
