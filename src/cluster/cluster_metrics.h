#pragma once

#include <map>
#include <utility>

#include "base/metrics.h"
#include "cluster/books.h"

namespace berth {

// What a ClusterState shows to Prometheus.
class ClusterMetrics {
 public:
  enum class Event { kNode, kNodeGone, kPod, kPodGone, kRestated };
  enum class Outcome {
    kApplied,    // changed the books in use
    kUnchanged,  // said what the books already said
    kCollected,  // belongs to an epoch being built
    kLate,       // about a pod that is gone
  };

  // `metrics` outlives this.
  explicit ClusterMetrics(Metrics& metrics);

  void Count(Event event, Outcome outcome);
  void Show(const Books& books);

 private:
  std::map<std::pair<Event, Outcome>, Counter*> events_;
  Gauge& nodes_;
  Gauge& overcommitted_nodes_;
  Gauge& gpus_;
  Gauge& free_gpus_;
  Gauge& pending_pods_;
  Gauge& bound_pods_;
  Gauge& parked_pods_;
};

}  // namespace berth
