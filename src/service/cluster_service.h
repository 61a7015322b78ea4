#pragma once

#include "base/log.h"
#include "base/metrics.h"
#include "berth/v1/cluster.grpc.pb.h"
#include "cluster/cluster_state.h"
#include "service/feed_turn.h"

namespace berth {

class FeedReactor;

// Cluster.Feed, as proto/berth/v1/cluster.proto describes it.
class ClusterService final : public v1::Cluster::CallbackService {
 public:
  // Everything outlives this, and this outlives the server.
  ClusterService(ClusterState& state, FeedTurn& turn, Metrics& metrics, Logger& log);

  grpc::ServerBidiReactor<v1::FeedRequest, v1::FeedResponse>* Feed(
      grpc::CallbackServerContext* context) override;

 private:
  friend class FeedReactor;

  ClusterState& state_;
  FeedTurn& turn_;
  Metrics& metrics_;
  Logger& log_;
};

}  // namespace berth
