#include "rpc/scoring_client.h"

#include <absl/strings/str_cat.h>

#include <algorithm>
#include <utility>

#include "berth/v1/scoring.grpc.pb.h"
#include "grpc/health/v1/health.grpc.pb.h"
#include "rpc/channel.h"
#include "rpc/convert.h"
#include "rpc/status.h"

namespace berth {
namespace {

template <class Request>
Request Ask(const PodFacts& pod, std::span<const std::string> nodes) {
  Request request;
  *request.mutable_pod() = ToProto(pod);
  request.mutable_node_names()->Add(nodes.begin(), nodes.end());
  return request;
}

// The service is another program, perhaps of another version: what it says about positions is
// checked here, so that everyone else may use them as indices.
bool AllBelow(const std::vector<uint32_t>& positions, size_t candidates) {
  return std::ranges::all_of(positions, [&](uint32_t p) { return p < candidates; });
}

bool IsSound(const FilterAnswer& answer, size_t candidates) {
  return AllBelow(answer.unknown, candidates) &&
         std::ranges::all_of(answer.refused, [&](const RefusedCandidates& refused) {
           return AllBelow(refused.candidates, candidates);
         });
}

bool IsSound(const ScoreAnswer& answer, size_t candidates) {
  const size_t told_apart = size_t{answer.feasible} + answer.unknown;
  if (answer.order.size() != candidates || told_apart > candidates) return false;
  std::vector<bool> seen(candidates);
  for (const uint32_t position : answer.order) {
    if (position >= candidates || seen[position]) return false;
    seen[position] = true;
  }
  return true;
}

class GrpcScoringClient final : public ScoringClient {
 public:
  GrpcScoringClient(const std::string& target, std::chrono::milliseconds timeout)
      : target_(target),
        timeout_(timeout),
        channel_(MakeChannel(target)),
        scoring_(v1::Scoring::NewStub(channel_)),
        health_(grpc::health::v1::Health::NewStub(channel_)) {}

  Result<FilterAnswer> Filter(const PodFacts& pod, std::span<const std::string> nodes) override {
    grpc::ClientContext context;
    SetTimeout(context, timeout_);
    v1::FilterResponse response;
    const grpc::Status status =
        scoring_->Filter(&context, Ask<v1::FilterRequest>(pod, nodes), &response);
    if (!status.ok()) return FromGrpc(status, target_);
    FilterAnswer answer{.refused = {},
                        .unknown = {response.unknown().begin(), response.unknown().end()}};
    for (const v1::RefusedNodes& refused : response.refused()) {
      answer.refused.push_back({.reason = refused.reason(),
                                .never = refused.never(),
                                .candidates = {refused.nodes().begin(), refused.nodes().end()}});
    }
    return Checked(std::move(answer), nodes.size());
  }

  Result<ScoreAnswer> Score(const PodFacts& pod, std::span<const std::string> nodes) override {
    grpc::ClientContext context;
    SetTimeout(context, timeout_);
    v1::ScoreResponse response;
    const grpc::Status status =
        scoring_->Score(&context, Ask<v1::ScoreRequest>(pod, nodes), &response);
    if (!status.ok()) return FromGrpc(status, target_);
    return Checked(ScoreAnswer{.order = {response.order().begin(), response.order().end()},
                               .feasible = response.feasible(),
                               .unknown = response.unknown()},
                   nodes.size());
  }

  Status Ready() override {
    grpc::ClientContext context;
    SetTimeout(context, timeout_);
    grpc::health::v1::HealthCheckResponse response;
    const grpc::Status status = health_->Check(&context, {}, &response);
    if (!status.ok()) return FromGrpc(status, target_);
    if (response.status() != grpc::health::v1::HealthCheckResponse::SERVING) {
      return absl::UnavailableError(
          absl::StrCat("scoring service ", target_, ": not synced yet, or shutting down"));
    }
    return {};
  }

 private:
  template <class Answer>
  Result<Answer> Checked(Answer answer, size_t candidates) const {
    if (IsSound(answer, candidates)) return answer;
    return absl::InternalError(absl::StrCat("scoring service ", target_,
                                            ": answered with positions that cannot be, for ",
                                            candidates, " candidates"));
  }

  const std::string target_;
  const std::chrono::milliseconds timeout_;
  const std::shared_ptr<grpc::Channel> channel_;
  const std::unique_ptr<v1::Scoring::Stub> scoring_;
  const std::unique_ptr<grpc::health::v1::Health::Stub> health_;
};

}  // namespace

std::unique_ptr<ScoringClient> MakeScoringClient(const std::string& target,
                                                 std::chrono::milliseconds timeout) {
  return std::make_unique<GrpcScoringClient>(target, timeout);
}

}  // namespace berth
