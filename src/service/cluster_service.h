#pragma once

#include <cstdint>
#include <functional>
#include <mutex>

#include "base/log.h"
#include "base/metrics.h"
#include "berth/v1/cluster.grpc.pb.h"
#include "cluster/cluster_state.h"

namespace berth {

class FeedReactor;

// Cluster.Feed, as proto/berth/v1/cluster.proto describes it: one feed at a time, the newest.
class ClusterService final : public v1::Cluster::CallbackService {
 public:
  // Only this writes to `state`. `on_epoch` is called after each completed epoch, from a server
  // thread. Everything outlives this, and this outlives the server.
  ClusterService(ClusterState& state, std::function<void()> on_epoch, Metrics& metrics,
                 Logger& log);

  grpc::ServerBidiReactor<v1::FeedRequest, v1::FeedResponse>* Feed(
      grpc::CallbackServerContext* context) override;

  // Ends the feed and takes no other.
  void Drain();

 private:
  friend class FeedReactor;

  ClusterState& state_;
  const std::function<void()> on_epoch_;
  Metrics& metrics_;
  Logger& log_;
  Gauge& connected_;
  Counter& superseded_;
  Counter& epochs_total_;

  std::mutex mutex_;                // guards what follows, and whoever writes to state_
  FeedReactor* current_ = nullptr;  // deletes itself once it is over and no longer current
  uint64_t epochs_ = 0;
  bool draining_ = false;
};

}  // namespace berth
