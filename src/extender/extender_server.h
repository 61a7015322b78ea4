#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/http_server.h"
#include "base/log.h"
#include "base/metrics.h"
#include "base/rng.h"
#include "berth/clock.h"
#include "berth/result.h"
#include "extender/extender.h"
#include "extender/feeder.h"
#include "kube/cluster_watch.h"
#include "kube/fact_store.h"
#include "kube/kubeconfig.h"
#include "rpc/scoring_client.h"

namespace berth {

struct ExtenderServerOptions {
  std::string host = "127.0.0.1";
  int port = 0;                                // 0 picks a free one
  std::string service;                         // address of `berth serve`, HOST:PORT
  std::vector<std::string> managed_resources;  // see Extender
  std::chrono::milliseconds timeout{100};      // of one question to the service
  Rng::result_type seed = 0;                   // of pauses between attempts
};

// All of berth-extender in one process: watches the API server, feeds the service, and answers
// kube-scheduler (POST /filter, /prioritize) and operators (GET /healthz, /readyz, /metrics) from
// Start to destruction, which lets requests that are being answered finish.
class ExtenderServer {
 public:
  // The references outlive the server. Errors: UNAVAILABLE when it cannot listen. That the API
  // server or the service is away is no error: it is not ready until they are there.
  static Result<std::unique_ptr<ExtenderServer>> Start(const ExtenderServerOptions& options,
                                                       const ApiServerAccess& api_server,
                                                       const Clock& clock, Metrics& metrics,
                                                       Logger& log);
  ~ExtenderServer();

  int port() const { return port_; }

  // What /readyz tells: OK, or in one sentence what is missing. From any thread.
  Status Ready() const { return extender_.Ready(); }

 private:
  ExtenderServer(std::unique_ptr<HttpServer> http, const ExtenderServerOptions& options,
                 const ApiServerAccess& api_server, Rng rng, const Clock& clock, Metrics& metrics,
                 Logger& log);
  Status Synced() const;

  std::unique_ptr<HttpServer> http_;
  int port_ = 0;
  FactStore store_;
  std::unique_ptr<ClusterWatch> watch_;
  Feeder feeder_;
  std::unique_ptr<ScoringClient> service_;
  Extender extender_;
  std::jthread serving_;
};

}  // namespace berth
