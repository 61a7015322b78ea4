#pragma once

#include <optional>
#include <string>

#include "base/log.h"
#include "base/metrics.h"
#include "berth/clock.h"
#include "berth/v1/placement.grpc.pb.h"
#include "cluster/cluster_state.h"
#include "facts/facts.h"
#include "policy/policy_slot.h"
#include "service/decision_reporter.h"
#include "service/feed_turn.h"
#include "service/intake.h"
#include "service/method_metrics.h"
#include "service/node_numbers.h"

namespace berth {

// Placement, as proto/berth/v1/placement.proto describes it. Thread-safe.
class PlacementService final : public v1::Placement::Service {
 public:
  // Everything outlives this. `decisions` hears of every Rank; null:
  // nobody does.
  PlacementService(ClusterState& state, FeedTurn& turn, const PolicySlot& policy,
                   const Clock& clock, Metrics& metrics, Logger& log,
                   const DecisionReporter* decisions);

  grpc::Status Sync(grpc::ServerContext* context, grpc::ServerReader<v1::SyncRequest>* reader,
                    v1::SyncResponse* response) override;
  grpc::Status Rank(grpc::ServerContext* context, const v1::RankRequest* request,
                    v1::RankResponse* response) override;
  grpc::Status WhatIf(grpc::ServerContext* context, const v1::WhatIfRequest* request,
                      v1::WhatIfResponse* response) override;

 private:
  // What the feeder whose turn it is has told last.
  struct Told {
    std::string feeder;
    uint64_t sequence;
    NodeNumbers numbers;
  };
  using Nodes = google::protobuf::RepeatedPtrField<v1::NodeState>;

  Status DoSync(const grpc::ServerContext& context, grpc::ServerReader<v1::SyncRequest>& reader);
  Status DoRank(const v1::RankRequest& request, Clock::TimePoint deadline,
                v1::RankResponse& response);
  Status DoWhatIf(const v1::WhatIfRequest& request, v1::WhatIfResponse& response);

  // REQUIRES of these: turn_.mutex() is held.
  Status CheckIsNewest(const std::string& feeder, uint64_t sequence) const;
  bool Has(const std::string& feeder, uint64_t base) const;
  Status TakeIn(Told told, const Picture& picture);
  void Apply(const v1::RankRequest& request);

  struct Question {
    Clock::TimePoint asked, deadline;
    PodFacts pod;
    Demand demand;
  };
  Status RankNodes(const ClusterViewPtr& view,
                   const std::vector<std::pair<const Node*, uint32_t>>& nodes, Question question,
                   v1::Ranking& answer) const;

  ClusterState& state_;
  FeedTurn& turn_;
  const PolicySlot& policy_;
  const Clock& clock_;
  const DecisionReporter* const decisions_;
  Metrics& metrics_;
  Logger& log_;
  MethodMetrics sync_metrics_;
  MethodMetrics rank_metrics_;
  MethodMetrics what_if_metrics_;
  Counter& need_full_;

  // Guarded by turn_.mutex().
  std::optional<Told> told_;  // while it is a turn of ours
  Intake intake_;
};

}  // namespace berth
