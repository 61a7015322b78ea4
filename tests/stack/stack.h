#pragma once

#include <gtest/gtest.h>
#include <httplib.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "base/real_clock.h"
#include "cluster/cluster_state.h"
#include "cluster/gpu_choice.h"
#include "extender/extender_server.h"
#include "policy/heuristics.h"
#include "rpc/explain_client.h"
#include "service/scoring_server.h"
#include "support/captured_log.h"
#include "support/fake_api_server.h"
#include "support/served.h"

namespace berth {

// The scoring service with the policy best-fit, as `berth serve` wires it.
class StackService {
 public:
  explicit StackService(int port)
      : state_([](const Node& node, const Demand& demand,
                  const WorkloadProfile&) { return ChooseGpusBestFit(node.free, demand); },
               std::make_shared<const WorkloadProfile>("empty", std::span<const ClassCount>()),
               metrics_, log_.logger()),
        server_(ScoringServer::Start({.address = "127.0.0.1:" + std::to_string(port)}, state_,
                                     policy_, clock_, metrics_, log_.logger())
                    .value()) {}

  int port() const { return server_->port(); }

 private:
  RealClock clock_;
  Metrics metrics_;
  CapturedLog log_;
  ClusterState state_;
  const PolicySlot policy_{RoutesTo(MakeHeuristic("best-fit").value())};
  std::unique_ptr<ScoringServer> server_;
};

// Everything between the API server and kube-scheduler in one process, over real connections: an
// API server, the service and the extender. The test plays kube-scheduler.
class Stack {
 public:
  using Kind = FakeApiServer::Kind;

  FakeApiServer& api_server() { return api_server_; }

  void StartService() {
    service_ = std::make_unique<StackService>(service_port_);
    service_port_ = service_->port();
  }
  void StopService() { service_.reset(); }

  void StartExtender() {
    extender_log_ = std::make_unique<CapturedLog>();
    extender_metrics_ = std::make_unique<Metrics>();
    extender_ = ExtenderServer::Start({.service = service(), .timeout = std::chrono::seconds(5)},
                                      {.url = api_server_.url()}, clock_, *extender_metrics_,
                                      extender_log_->logger())
                    .value();
    client_ = std::make_unique<httplib::Client>("127.0.0.1", extender_->port());
    client_->set_keep_alive(true);
    client_->set_tcp_nodelay(true);
  }
  void StopExtender() {
    client_.reset();
    extender_.reset();
  }

  // Both, from the first list to ready.
  void Start() {
    StartService();
    StartExtender();
    AwaitReady();
  }

  std::string service() const { return "127.0.0.1:" + std::to_string(service_port_); }
  httplib::Client& client() { return *client_; }

  httplib::Result Ask(const std::string& verb, const nlohmann::json& args) {
    return client_->Post("/" + verb, args.dump(), "application/json");
  }
  nlohmann::json Filter(const nlohmann::json& args) {
    return nlohmann::json::parse(Ask("filter", args)->body);
  }
  // Scores by node.
  std::map<std::string, int> Prioritize(const nlohmann::json& args) {
    std::map<std::string, int> scores;
    for (const auto& entry : nlohmann::json::parse(Ask("prioritize", args)->body)) {
      scores[entry["Host"]] = entry["Score"];
    }
    return scores;
  }

  void AwaitReady() {
    EXPECT_TRUE(Eventually([this] { return client_->Get("/readyz")->status == 200; }))
        << client_->Get("/readyz")->body;
  }

  // GPUs of the node that nobody holds, by Berth's books; -1 when it does not know the node.
  int FreeGpus(const std::string& node) const {
    PodFacts nobody;
    nobody.name = "nobody";
    const std::vector<std::string> nodes = {node};
    const auto books = Explain(service(), nobody, nodes, std::chrono::seconds(5));
    if (!books.ok() || !books->nodes.at(0).known) return -1;
    return books->nodes.at(0).free.WholeGpus();
  }
  // Waits until the books say so.
  void AwaitFreeGpus(const std::string& node, int count) {
    EXPECT_TRUE(Eventually([&] { return FreeGpus(node) == count; }))
        << node << " has " << FreeGpus(node) << " free GPUs by Berth's books, not " << count;
  }

 private:
  // Asks until it is so: what happens in the stack has no event here to wait for.
  template <class Condition>
  static bool Eventually(Condition condition) {
    for (int attempt = 0; attempt < 30'000; ++attempt) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }

  FakeApiServer api_server_;
  int service_port_ = 0;
  std::unique_ptr<StackService> service_;
  const RealClock clock_;
  std::unique_ptr<CapturedLog> extender_log_;
  std::unique_ptr<Metrics> extender_metrics_;
  std::unique_ptr<ExtenderServer> extender_;
  std::unique_ptr<httplib::Client> client_;
};

}  // namespace berth
