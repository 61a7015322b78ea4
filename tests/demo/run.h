#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "berth/node.h"
#include "berth/pod.h"
#include "berth/result.h"
#include "berth/workload_profile.h"

namespace berth {

// What one policy made of the pods.
struct RunResult {
  std::string policy;
  size_t placed = 0;
  size_t refused = 0;     // fitted nowhere when they arrived
  size_t unanswered = 0;  // placed without Berth, which gave no answer
  double allocated = 0;   // given out at the end, as a share of the GPU that was free at the start
  double unusable = 0;    // as such a share: idle, but of no use to a typical pod (FGD's F)
  std::chrono::nanoseconds median{};  // of the time to decide: filter and prioritize over HTTP
  std::chrono::nanoseconds p99{};
  std::chrono::duration<double> took{};
};

struct RunInput {
  std::filesystem::path bin;  // where the programs are
  std::string policy;         // for `berth serve --policy`; empty: its default
  std::string decision_log;   // for `berth serve --decision-log`; empty: none
  std::span<const NodeSpec> nodes;
  std::span<const Pod> running;  // before anything arrives; each is bound to a node
  std::span<const Pod> pods;     // arriving
  const WorkloadProfile& profile;
  // Called with the pods decided so far and the share of the free GPU given out.
  std::function<void(size_t done, double allocated)> on_progress;
  // Called when all pods are decided, while everything is still up.
  std::function<void(const std::string& service, int extender_port)> on_decided;
};

// Starts an API server with the nodes, and Berth before it, and lets one pod after the other
// arrive. A pod is decided once Berth's books hold the pod before it: at the pace of a real
// kube-scheduler (some hundred pods per second) they do, and here the point is the decisions.
// Errors: Berth does not start, falls behind, or counts otherwise than the API server; CANCELLED.
Result<RunResult> RunPolicy(const RunInput& input, const std::stop_token& stop);

}  // namespace berth
