#include "bench/cluster_list.h"

#include <thread>

#include "demo/objects.h"
#include "kube/object_facts.h"

namespace berth {

ClusterFacts::ClusterFacts(const BusyCluster& cluster) {
  for (const NodeSpec& node : cluster.nodes) {
    nodes.push_back(NodeFactsFrom(NodeObject(node)).value());
  }
  for (const Pod& pod : cluster.pods) pods.push_back(PodFactsFrom(PodObject(pod)).value());
}

Status CountedFeed::Send(const FeedEvent& event) {
  ++sent_;
  return stream_.Send(event);
}

Status CountedFeed::SendList(const ClusterFacts& facts) {
  Status sent = Send(EpochBegins());
  for (const NodeFacts& node : facts.nodes) sent.Update(Send(FactEvent(node)));
  for (const PodFacts& pod : facts.pods) sent.Update(Send(FactEvent(pod)));
  sent.Update(Send(EpochEnds()));
  if (!sent.ok()) return sent;
  return AwaitApplied();
}

Status CountedFeed::AwaitApplied() const {
  while (stream_.Acknowledged() < sent_) {
    if (stream_.Over().stop_requested()) return absl::UnavailableError("the feed ended");
    std::this_thread::yield();  // acknowledgements do not wake anybody
  }
  return {};
}

}  // namespace berth
