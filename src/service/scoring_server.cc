#include "service/scoring_server.h"

#include <absl/strings/str_cat.h>
#include <grpc/support/time.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include "rpc/channel.h"
#include "service/cluster_service.h"
#include "service/feed_turn.h"
#include "service/placement_service.h"
#include "service/policies_service.h"
#include "service/scoring_service.h"

namespace berth {
namespace {

// That a client may have under way on one connection; it sends more when these are answered. Each
// holds a thread here. RFC 9113, 6.5.2, wants no fewer.
constexpr int kMaxRequestsAtOnce = 100;

AdminGate GateOf(const ScoringServerOptions& options) {
  return {options.admin_token_file, !options.tls.client_ca.empty()};
}

}  // namespace

ScoringServer::ScoringServer(const ScoringServerOptions& options, ClusterState& state,
                             const PolicySlot& policy, const Clock& clock, Metrics& metrics,
                             Logger& log, const DecisionReporter* decisions,
                             const PolicyAdmin* admin)
    : state_(state),
      turn_(std::make_unique<FeedTurn>([this] { UpdateHealth(); }, metrics)),
      cluster_(std::make_unique<ClusterService>(state, *turn_, metrics, log)),
      placement_(std::make_unique<PlacementService>(state, *turn_, policy, clock, metrics, log,
                                                    decisions)),
      policies_(
          std::make_unique<PoliciesService>(policy, admin, GateOf(options), clock, metrics, log)),
      scoring_(std::make_unique<ScoringService>(state, policy, options.expectations, clock, metrics,
                                                decisions)) {}

ScoringServer::~ScoringServer() {
  if (server_ != nullptr) Drain(std::chrono::milliseconds(0));
}

Result<std::unique_ptr<ScoringServer>> ScoringServer::Start(
    const ScoringServerOptions& options, ClusterState& state, const PolicySlot& policy,
    const Clock& clock, Metrics& metrics, Logger& log, const DecisionReporter* decisions,
    const PolicyAdmin* admin) {
  if (Status sound = GateOf(options).Check(); !sound.ok()) return sound;
  Result<std::shared_ptr<grpc::ServerCredentials>> credentials = MakeServerCredentials(options.tls);
  if (!credentials.ok()) return credentials.status();
  std::unique_ptr<ScoringServer> server(
      new ScoringServer(options, state, policy, clock, metrics, log, decisions, admin));
  if (Status status = server->Listen(options.address, *std::move(credentials)); !status.ok())
    return status;
  return server;
}

Status ScoringServer::Listen(const std::string& address,
                             std::shared_ptr<grpc::ServerCredentials> credentials) {
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  builder.SetMaxReceiveMessageSize(kMaxMessageBytes);
  builder.SetMaxSendMessageSize(kMaxMessageBytes);
  // Two services on one port would share the requests and both be wrong about the cluster.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  // Clients look for a dead peer every 30 seconds (rpc/channel.cc); that is no abuse.
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 10'000);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kMaxRequestsAtOnce);
  builder.AddListeningPort(address, std::move(credentials), &port_);
  builder.RegisterService(cluster_.get());
  builder.RegisterService(placement_.get());
  builder.RegisterService(policies_.get());
  builder.RegisterService(scoring_.get());
  std::unique_ptr<grpc::ServerCompletionQueue> feeds = builder.AddCompletionQueue();
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr) {
    return absl::UnavailableError(absl::StrCat("cannot listen on ", address,
                                               ": is the port in use, or the address not ours?"));
  }
  cluster_->Serve(std::move(feeds));
  {
    const std::scoped_lock lock(health_mutex_);
    server_ = std::move(server);
  }
  UpdateHealth();
  return {};
}

Status ScoringServer::Ready() const {
  if (draining_) return absl::UnavailableError("the service is shutting down");
  if (!state_.Ready()) {
    return absl::UnavailableError("not synced: no feeder has listed all nodes and pods yet");
  }
  return {};
}

void ScoringServer::Drain(std::chrono::milliseconds grace) {
  draining_ = true;
  UpdateHealth();
  {
    const std::scoped_lock lock(turn_->mutex());
    turn_->Drain();
  }
  policies_->Drain();
  server_->Shutdown(gpr_time_from_millis(grace.count(), GPR_TIMESPAN));
  server_->Wait();
  cluster_->Stop();
  server_.reset();
}

void ScoringServer::UpdateHealth() {
  const std::scoped_lock lock(health_mutex_);
  if (server_ == nullptr) return;  // an epoch was complete before Listen had ended; it tells
  grpc::HealthCheckServiceInterface* health = server_->GetHealthCheckService();
  health->SetServingStatus("", Ready().ok());
  health->SetServingStatus("berth.v1.Scoring", Ready().ok());
  health->SetServingStatus("berth.v1.Placement", !draining_);
}

}  // namespace berth
