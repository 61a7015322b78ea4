#pragma once

#include <cstdint>
#include <string>

#include "base/log.h"
#include "base/metrics.h"
#include "berth/result.h"
#include "berth/v1/cluster.pb.h"
#include "cluster/cluster_state.h"
#include "service/intake.h"

namespace berth {

// The rules of one feed: numbering, epochs, and facts that cannot be used. For one thread at a
// time, and while it lives nobody else writes to the state. An epoch that is not complete when the
// session ends is abandoned.
class FeedSession {
 public:
  FeedSession(ClusterState& state, Metrics& metrics, Logger& log);
  ~FeedSession();

  FeedSession(const FeedSession&) = delete;
  FeedSession& operator=(const FeedSession&) = delete;

  // Applies one event. Facts that cannot be used are skipped (see Intake).
  // Errors: INVALID_ARGUMENT that names the field; the feed is over then.
  Status Apply(const v1::FeedRequest& request);

  // Sequence of the last event that was applied or skipped.
  uint64_t applied() const { return applied_; }

  // Who feeds, as it says itself; empty before the first event.
  const std::string& feeder() const { return feeder_; }

 private:
  Status CheckOrder(const v1::FeedRequest& request) const;
  void Node(const v1::NodeFacts& proto);
  void NodeGone(const std::string& name);
  void Pod(const v1::PodFacts& proto);
  void PodGone(const std::string& uid);

  ClusterState& state_;
  Intake intake_;
  std::string feeder_;
  uint64_t applied_ = 0;
  bool in_epoch_ = false;
};

}  // namespace berth
