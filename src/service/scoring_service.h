#pragma once

#include "base/metrics.h"
#include "berth/clock.h"
#include "berth/v1/scoring.grpc.pb.h"
#include "cluster/cluster_state.h"
#include "policy/policy_slot.h"
#include "service/decision_reporter.h"
#include "service/method_metrics.h"

namespace berth {

// Scoring, as proto/berth/v1/scoring.proto describes it. Each call reads one view of the cluster
// from beginning to end. Thread-safe.
class ScoringService final : public v1::Scoring::Service {
 public:
  // All references outlive this. With `expect`, pods are
  // ranked as if those before them had gone where they were ranked first (ClusterState::Expect).
  // `decisions` hears of every Score and outlives this; null: nobody does.
  ScoringService(ClusterState& state, const PolicySlot& policy, bool expect, const Clock& clock,
                 Metrics& metrics, const DecisionReporter* decisions);

  grpc::Status Filter(grpc::ServerContext* context, const v1::FilterRequest* request,
                      v1::FilterResponse* response) override;
  grpc::Status Score(grpc::ServerContext* context, const v1::ScoreRequest* request,
                     v1::ScoreResponse* response) override;
  grpc::Status Explain(grpc::ServerContext* context, const v1::ExplainRequest* request,
                       v1::ExplainResponse* response) override;

 private:
  Status DoFilter(const v1::FilterRequest& request, v1::FilterResponse& response) const;
  Status DoScore(const v1::ScoreRequest& request, Clock::TimePoint deadline,
                 v1::ScoreResponse& response) const;
  Status DoExplain(const v1::ExplainRequest& request, Clock::TimePoint deadline,
                   v1::ExplainResponse& response) const;

  ClusterState& state_;
  const PolicySlot& policy_;
  const bool expect_;
  const Clock& clock_;
  const DecisionReporter* const decisions_;
  MethodMetrics filter_metrics_;
  MethodMetrics score_metrics_;
  MethodMetrics explain_metrics_;
};

}  // namespace berth
