#pragma once

#include <vector>

#include "bench/busy_cluster.h"
#include "rpc/feed_client.h"

namespace berth {

// What a feeder says about a cluster, made before anything is timed.
struct ClusterFacts {
  explicit ClusterFacts(const BusyCluster& cluster);
  std::vector<NodeFacts> nodes;
  std::vector<PodFacts> pods;
};

// Sends events and waits until the service has applied them.
class CountedFeed {
 public:
  explicit CountedFeed(FeedStream& stream) : stream_(stream) {}

  Status Send(const FeedEvent& event);
  // The complete picture; returns once it is applied.
  Status SendList(const ClusterFacts& facts);
  // Errors: UNAVAILABLE when the feed has ended.
  Status AwaitApplied() const;
  uint64_t sent() const { return sent_; }

 private:
  FeedStream& stream_;
  uint64_t sent_ = 0;
};

}  // namespace berth
