#include "cluster/cluster_metrics.h"

#include <string>

namespace berth {
namespace {

using Event = ClusterMetrics::Event;
using Outcome = ClusterMetrics::Outcome;

constexpr std::pair<Event, const char*> kEvents[] = {{Event::kNode, "node"},
                                                     {Event::kNodeGone, "node_gone"},
                                                     {Event::kPod, "pod"},
                                                     {Event::kPodGone, "pod_gone"},
                                                     {Event::kRestated, "restated"}};
constexpr std::pair<Outcome, const char*> kOutcomes[] = {{Outcome::kApplied, "applied"},
                                                         {Outcome::kUnchanged, "unchanged"},
                                                         {Outcome::kCollected, "collected"},
                                                         {Outcome::kLate, "late"}};

Gauge& PodGauge(Metrics& metrics, const std::string& state) {
  return metrics.AddGauge("berth_cluster_pods",
                          "Pods: pending, bound to a known node, or parked (bound to another).",
                          {{"state", state}});
}

}  // namespace

ClusterMetrics::ClusterMetrics(Metrics& metrics)
    : nodes_(metrics.AddGauge("berth_cluster_nodes", "Nodes known.")),
      overcommitted_nodes_(
          metrics.AddGauge("berth_cluster_overcommitted_nodes",
                           "Nodes on which more CPU, memory or GPU is held than there is.")),
      gpus_(metrics.AddGauge("berth_cluster_gpus", "GPUs of the known nodes.")),
      free_gpus_(metrics.AddGauge("berth_cluster_free_gpus",
                                  "GPUs that no pod holds; parts of a GPU count as such.")),
      pending_pods_(PodGauge(metrics, "pending")),
      bound_pods_(PodGauge(metrics, "bound")),
      parked_pods_(PodGauge(metrics, "parked")) {
  for (const auto& [event, kind] : kEvents) {
    for (const auto& [outcome, name] : kOutcomes) {
      events_[{event, outcome}] =
          &metrics.AddCounter("berth_cluster_events_total", "Events about the cluster.",
                              {{"kind", kind}, {"outcome", name}});
    }
  }
}

void ClusterMetrics::Count(Event event, Outcome outcome) {
  events_.at({event, outcome})->Increment();
}

void ClusterMetrics::Show(const Books& books) {
  const ClusterTotals totals = books.totals();
  const auto whole_gpus = [](MilliGpu milli) {
    return static_cast<double>(milli.value()) / static_cast<double>(kWholeGpu.value());
  };
  nodes_.Set(static_cast<double>(totals.nodes));
  overcommitted_nodes_.Set(static_cast<double>(books.overcommitted_nodes()));
  gpus_.Set(static_cast<double>(totals.gpus));
  free_gpus_.Set(whole_gpus(totals.gpu_free));
  pending_pods_.Set(static_cast<double>(totals.pending_pods));
  bound_pods_.Set(static_cast<double>(totals.bound_pods));
  parked_pods_.Set(static_cast<double>(books.parked_pods()));
}

}  // namespace berth
