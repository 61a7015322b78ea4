#include "cluster/expectations.h"

#include <algorithm>

namespace berth {

Expectations::Expectations(Metrics& metrics)
    : count_(metrics.AddGauge("berth_cluster_expected_pods",
                              "Pods ranked onto a node and not yet seen there.")),
      outdated_(metrics.AddCounter("berth_cluster_expectations_outdated_total",
                                   "Pods ranked onto a node and not seen there for so long that "
                                   "they are not expected any more.")) {}

void Expectations::Add(const PodUid& uid, const NodeName& node, Demand demand,
                       Clock::TimePoint now) {
  Remove(uid);
  expected_.emplace(uid, Expected{node, now});
  by_age_.emplace_back(now, uid);
  Arrivals& arrivals = arrivals_[node];
  arrivals.pods.emplace_back(uid, std::move(demand));
  arrivals.after = nullptr;
  count_.Set(static_cast<double>(expected_.size()));
}

void Expectations::Remove(const PodUid& uid) {
  const auto expected = expected_.find(uid);
  if (expected == expected_.end()) return;
  const auto place = arrivals_.find(expected->second.node);
  Arrivals& arrivals = place->second;
  std::erase_if(arrivals.pods, [&](const auto& pod) { return pod.first == uid; });
  arrivals.after = nullptr;
  if (arrivals.pods.empty()) arrivals_.erase(place);
  expected_.erase(expected);
  count_.Set(static_cast<double>(expected_.size()));
}

void Expectations::RemoveOutdated(Clock::TimePoint now) {
  while (!by_age_.empty() && now - by_age_.front().first >= kLongest) {
    const auto [since, uid] = std::move(by_age_.front());
    by_age_.pop_front();
    const auto expected = expected_.find(uid);
    if (expected == expected_.end() || expected->second.since != since) continue;
    Remove(uid);
    outdated_.Increment();
  }
}

std::vector<Expectations::NodePtr> Expectations::Apply(const ClusterView& view,
                                                       const PlaceAll& place_all) {
  std::vector<NodePtr> nodes;
  for (auto& [name, arrivals] : arrivals_) {
    const Node* node = view.Find(name.value());
    if (node == nullptr) continue;
    if (arrivals.after == nullptr || arrivals.generation != node->generation) {
      std::vector<Demand> demands;
      for (const auto& [uid, demand] : arrivals.pods) demands.push_back(demand);
      arrivals.after = place_all(*node, demands);
      arrivals.generation = node->generation;
    }
    nodes.push_back(arrivals.after);
  }
  return nodes;
}

}  // namespace berth
