#pragma once

#include <grpcpp/completion_queue.h>

#include <memory>
#include <thread>

#include "base/log.h"
#include "base/metrics.h"
#include "berth/v1/cluster.grpc.pb.h"
#include "cluster/cluster_state.h"
#include "service/feed_turn.h"

namespace berth {

class FeedCall;

// Cluster.Feed, as proto/berth/v1/cluster.proto describes it. It is driven by a completion queue of
// its own, not by gRPC's callbacks: in gRPC 1.51 a server with callback and synchronous services
// stops taking in calls for a tenth of a second every second (CallbackAlternativeCQ sleeps after
// each second without an event, with the poller in its hands).
class ClusterService final : public v1::Cluster::AsyncService {
 public:
  // Everything outlives this, and this outlives the server.
  ClusterService(ClusterState& state, FeedTurn& turn, Metrics& metrics, Logger& log);
  ~ClusterService() override;

  // Takes streams from now on, in a thread of its own. `queue` is of the server, which has started.
  // At most once.
  void Serve(std::unique_ptr<grpc::ServerCompletionQueue> queue);

  // Returns when all streams have ended. REQUIRES: the server has shut down.
  void Stop();

 private:
  friend class FeedCall;

  void Run();

  ClusterState& state_;
  FeedTurn& turn_;
  Metrics& metrics_;
  Logger& log_;
  std::unique_ptr<grpc::ServerCompletionQueue> queue_;  // from Serve on
  std::thread thread_;
};

}  // namespace berth
