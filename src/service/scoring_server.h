#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>

#include "base/log.h"
#include "base/metrics.h"
#include "berth/clock.h"
#include "berth/result.h"
#include "cluster/cluster_state.h"
#include "policy/policy_slot.h"
#include "service/server_tls.h"

namespace grpc {
class Server;
}

namespace berth {

class ClusterService;
class DecisionReporter;
class FeedTurn;
class PlacementService;
class PoliciesService;
struct PolicyAdmin;
class ScoringService;

struct ScoringServerOptions {
  std::string address;       // HOST:PORT; port 0 picks a free one
  bool expectations = true;  // see ScoringService
  TlsFiles tls;
  std::string admin_token_file;  // see AdminGate; empty: none
};

// The gRPC server: Cluster.Feed, Placement, Policies, Scoring, the standard health check and
// reflection. Whoever reaches the address may ask and feed, unless TLS asks for a certificate
// (TlsFiles). AdminGate says who may change policies.
//
// Health ("" and "berth.v1.Scoring") is SERVING from the first complete epoch until Drain; that of
// "berth.v1.Placement", whose callers bring their epoch along, from the start.
class ScoringServer {
 public:
  // Listens. Only this server writes to `state`. `decisions` hears of every answer; null: nobody
  // does. `admin` is what the rollout is changed with; null: the policy stays what it is. All
  // references and pointers outlive it.
  // Errors: UNAVAILABLE that names the address; those of MakeServerCredentials and
  // AdminGate::Check.
  static Result<std::unique_ptr<ScoringServer>> Start(const ScoringServerOptions& options,
                                                      ClusterState& state, const PolicySlot& policy,
                                                      const Clock& clock, Metrics& metrics,
                                                      Logger& log,
                                                      const DecisionReporter* decisions = nullptr,
                                                      const PolicyAdmin* admin = nullptr);

  // Cancels what is still under way.
  ~ScoringServer();

  int port() const { return port_; }

  // OK while requests are answered; else why not. Thread-safe.
  Status Ready() const;

  // Says NOT_SERVING, ends the feed, refuses new calls, lets those under way finish within `grace`
  // and cancels the rest. Returns when all have ended. At most once.
  void Drain(std::chrono::milliseconds grace);

 private:
  ScoringServer(const ScoringServerOptions& options, ClusterState& state, const PolicySlot& policy,
                const Clock& clock, Metrics& metrics, Logger& log,
                const DecisionReporter* decisions, const PolicyAdmin* admin);
  Status Listen(const std::string& address, std::shared_ptr<grpc::ServerCredentials> credentials);
  void UpdateHealth();

  ClusterState& state_;
  std::unique_ptr<FeedTurn> turn_;
  std::unique_ptr<ClusterService> cluster_;
  std::unique_ptr<PlacementService> placement_;
  std::unique_ptr<PoliciesService> policies_;
  std::unique_ptr<ScoringService> scoring_;
  std::atomic<bool> draining_{false};
  int port_ = 0;
  std::mutex health_mutex_;               // so that the health told last is the true one
  std::unique_ptr<grpc::Server> server_;  // null before Listen and after Drain
};

}  // namespace berth
