#pragma once

#include <absl/container/flat_hash_map.h>

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/metrics.h"
#include "berth/clock.h"
#include "berth/cluster_view.h"
#include "berth/node.h"
#include "berth/pod.h"

namespace berth {

// Where pods are expected that nobody has seen there yet. kube-scheduler asks about the next pod
// before the watch shows where the last one went; without this, pods created together crowd on the
// node that was best for the first. Good for ranking only: what is expected may not come true.
// Not thread-safe.
class Expectations {
 public:
  using NodePtr = std::shared_ptr<const Node>;
  // What is left of a node once it has taken these demands, in this order.
  using PlaceAll = std::function<NodePtr(const Node&, std::span<const Demand>)>;

  // An expectation that is still neither met nor dropped after so long was wrong.
  static constexpr std::chrono::minutes kLongest{2};

  // `metrics` outlives this.
  explicit Expectations(Metrics& metrics);

  // The pod is expected on `node` and nowhere else.
  void Add(const PodUid& uid, const NodeName& node, Demand demand, Clock::TimePoint now);
  void Remove(const PodUid& uid);
  void RemoveOutdated(Clock::TimePoint now);
  template <class Condition>
  void RemoveIf(Condition condition);

  // Those nodes of the view on which pods are expected, as they will be then.
  std::vector<NodePtr> Apply(const ClusterView& view, const PlaceAll& place_all);

 private:
  struct Expected {
    NodeName node;
    Clock::TimePoint since;
  };
  struct Arrivals {
    std::vector<std::pair<PodUid, Demand>> pods;  // in the order in which they are expected
    uint64_t generation = 0;                      // of the node from which `after` was made
    NodePtr after;                                // null: to be made
  };

  Gauge& count_;
  Counter& outdated_;
  absl::flat_hash_map<PodUid, Expected> expected_;
  absl::flat_hash_map<NodeName, Arrivals> arrivals_;
  std::deque<std::pair<Clock::TimePoint, PodUid>> by_age_;  // also of those that are no more
};

template <class Condition>
void Expectations::RemoveIf(Condition condition) {
  std::vector<PodUid> removed;
  for (const auto& [uid, expected] : expected_) {
    if (condition(uid)) removed.push_back(uid);
  }
  for (const PodUid& uid : removed) Remove(uid);
}

}  // namespace berth
