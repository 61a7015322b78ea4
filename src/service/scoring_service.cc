#include "service/scoring_service.h"

#include <absl/strings/str_cat.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "cluster/feasibility.h"
#include "facts/interpret.h"
#include "policy/ranking.h"
#include "rpc/convert.h"
#include "rpc/status.h"
#include "service/answering_policy.h"
#include "service/asked_pod.h"
#include "service/call_deadline.h"
#include "service/explain.h"
#include "service/refusal_groups.h"

namespace berth {
namespace {

constexpr int kMaxNames = 20'000;

using Names = google::protobuf::RepeatedPtrField<std::string>;

Status CheckNames(const Names& names) {
  if (names.size() <= kMaxNames) return {};
  return absl::InvalidArgumentError(
      absl::StrCat("node_names: has ", names.size(), " names, may have ", kMaxNames));
}

// Errors: UNAVAILABLE, and INVALID_ARGUMENT that names the field.
Status CheckAnswerable(const Names& names, const ClusterState& state) {
  if (state.Ready()) return CheckNames(names);
  return absl::UnavailableError("not synced: no feeder has listed all nodes and pods yet");
}

struct Asked {
  PodUid uid;
  PodFacts pod;
  Demand demand;
};

// The pod that is to be placed. Errors: as CheckAnswerable.
template <class Request>
Result<Asked> ReadPod(const Request& request, const ClusterState& state) {
  if (Status status = CheckAnswerable(request.node_names(), state); !status.ok()) return status;
  Result<PodFacts> pod = PodToPlace(request);
  if (!pod.ok()) return pod.status();
  Demand demand = InterpretPod(*pod).demand;
  return Asked{PodUid(pod->uid), *std::move(pod), std::move(demand)};
}

std::vector<const Node*> Find(const ClusterView& view, const Names& names) {
  std::vector<const Node*> nodes;
  nodes.reserve(names.size());
  for (const std::string& name : names) nodes.push_back(view.Find(name));
  return nodes;
}

void RefuseEverywhere(const Demand& demand, int candidates, v1::FilterResponse& response) {
  if (candidates == 0) return;
  v1::RefusedNodes& refused = *response.add_refused();
  refused.set_reason(demand.invalid);
  refused.set_never(true);
  refused.mutable_nodes()->Resize(candidates, 0);
  std::iota(refused.mutable_nodes()->begin(), refused.mutable_nodes()->end(), 0);
}

}  // namespace

ScoringService::ScoringService(ClusterState& state, const PolicySlot& policy, bool expect,
                               const Clock& clock, Metrics& metrics,
                               const DecisionReporter* decisions)
    : state_(state),
      policy_(policy),
      expect_(expect),
      clock_(clock),
      decisions_(decisions),
      filter_metrics_("Filter", clock, metrics),
      score_metrics_("Score", clock, metrics),
      explain_metrics_("Explain", clock, metrics) {}

grpc::Status ScoringService::Filter(grpc::ServerContext*, const v1::FilterRequest* request,
                                    v1::FilterResponse* response) {
  return filter_metrics_.Measure(request->node_names_size(),
                                 [&] { return ToGrpc(DoFilter(*request, *response)); });
}

grpc::Status ScoringService::Score(grpc::ServerContext* context, const v1::ScoreRequest* request,
                                   v1::ScoreResponse* response) {
  const Clock::TimePoint deadline = DeadlineOf(*context, clock_);
  return score_metrics_.Measure(request->node_names_size(),
                                [&] { return ToGrpc(DoScore(*request, deadline, *response)); });
}

grpc::Status ScoringService::Explain(grpc::ServerContext* context,
                                     const v1::ExplainRequest* request,
                                     v1::ExplainResponse* response) {
  const Clock::TimePoint deadline = DeadlineOf(*context, clock_);
  return explain_metrics_.Measure(request->node_names_size(),
                                  [&] { return ToGrpc(DoExplain(*request, deadline, *response)); });
}

Status ScoringService::DoFilter(const v1::FilterRequest& request,
                                v1::FilterResponse& response) const {
  const Result<Asked> asked = ReadPod(request, state_);
  if (!asked.ok()) return asked.status();
  state_.Withdraw(asked->uid);  // kube-scheduler tries it anew
  if (!asked->demand.invalid.empty()) {
    RefuseEverywhere(asked->demand, request.node_names_size(), response);
    return {};
  }
  const ClusterViewPtr view = state_.View();
  RefusalGroups groups(*response.mutable_refused());
  for (int i = 0; i < request.node_names_size(); ++i) {
    const Node* node = view->Find(request.node_names(i));
    if (node == nullptr) {
      response.add_unknown(i);
      continue;
    }
    const Refusal refusal = CheckBeyondKubeScheduler(*node, asked->demand);
    if (refusal != Refusal::kNone) groups.Add(refusal, i);
  }
  return {};
}

Status ScoringService::DoScore(const v1::ScoreRequest& request, Clock::TimePoint deadline,
                               v1::ScoreResponse& response) const {
  const Clock::TimePoint start = clock_.Now();
  Result<Asked> asked = ReadPod(request, state_);
  if (!asked.ok()) return asked.status();
  state_.Withdraw(asked->uid);
  const ClusterViewPtr view = state_.ExpectedView(clock_.Now());
  std::vector<const Node*> candidates = Find(*view, request.node_names());
  DecidedPod pod = DecidedPodOf(std::move(asked->pod));
  ServedPolicyPtr policy = policy_.For(pod, candidates);
  Result<Ranking> ranking = Rank(*policy->scorer, view, asked->demand, candidates, deadline);
  if (!ranking.ok()) return ranking.status();
  if (expect_ && ranking->feasible > 0) {
    const NodeName& first = candidates[ranking->order.front()]->name();
    state_.Expect(asked->uid, first, asked->demand, clock_.Now());
  }
  response.mutable_order()->Add(ranking->order.begin(), ranking->order.end());
  response.mutable_scores()->Add(ranking->scores.begin(), ranking->scores.end());
  response.set_feasible(ranking->feasible);
  response.set_unknown(ranking->unknown);
  response.set_policy(ranking->policy);
  response.set_policy_version(AnsweredVersion(*policy, *ranking));
  if (decisions_ == nullptr) return {};
  decisions_->Report({.asked = start,
                      .pod = std::move(pod),
                      .demand = std::move(asked->demand),
                      .cluster = view,
                      .candidates = std::move(candidates),
                      .served = std::move(policy),
                      .ranking = *std::move(ranking)});
  return {};
}

Status ScoringService::DoExplain(const v1::ExplainRequest& request, Clock::TimePoint deadline,
                                 v1::ExplainResponse& response) const {
  if (Status status = CheckAnswerable(request.node_names(), state_); !status.ok()) return status;
  const Result<PodFacts> pod = AskedPod(request);
  if (!pod.ok()) return pod.status();
  const std::vector<std::string_view> names(request.node_names().begin(),
                                            request.node_names().end());
  const ClusterViewPtr view = state_.View();
  const ServedPolicyPtr policy = policy_.For(DecidedPodOf(*pod), Find(*view, request.node_names()));
  Result<Explanation> explanation =
      ExplainDemand(view, *policy->scorer, InterpretPod(*pod).demand, names, deadline);
  if (!explanation.ok()) return explanation.status();
  explanation->ignored_wish = IgnoredWish(*pod);
  response = ToProto(*explanation);
  return {};
}

}  // namespace berth
