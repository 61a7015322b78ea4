#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cluster/gpu_choice.h"
#include "decisions/decision_record.h"
#include "policy/decision.h"
#include "policy/ranking.h"
#include "support/served.h"
#include "support/small_case.h"
#include "support/views.h"

namespace berth {

// Decisions that tests make up.
// A policy that gives the GPUs that the test says.
class FixedGpus final : public Scorer {
 public:
  using Choose = std::function<GpuSet(const Node&, const Demand&)>;

  explicit FixedGpus(Choose choose) : choose_(std::move(choose)) {}

  std::string_view name() const override { return "fixed-gpus"; }
  Result<Answer> Score(const ScoreRequest&, std::span<float> scores) const override {
    std::ranges::fill(scores, 1.0F);
    return name();
  }
  GpuSet ChooseGpus(const Node& node, const Demand& demand, const WorkloadProfile&) const override {
    return choose_(node, demand);
  }

 private:
  const Choose choose_;
};

// SmallNode with this much free CPU: nodes of different classes where it differs.
inline Node NodeWithCpu(const std::string& name, int64_t milli) {
  Node node = SmallNode(name);
  node.free.cpu = MilliCpu(milli);
  return node;
}

// So many nodes, each of a class of its own.
inline std::vector<Node> DifferentNodes(int count) {
  std::vector<Node> nodes;
  for (int i = 0; i < count; ++i) {
    nodes.push_back(NodeWithCpu("n" + std::to_string(1000 + i), 8'000 + i));
    nodes.back().free.gpus[2] = MilliGpu(300 + 7 * (i % 100));
  }
  return nodes;
}

// What `policy` decides about the pod "ml/REQUEST" of UID "uid-REQUEST", at `time`.
inline Decision Decide(const ScorerPtr& policy, const ClusterViewPtr& view, uint64_t request,
                       WallClock::TimePoint time = {}, const Demand& demand = SmallShare()) {
  Decision decision{.request = request,
                    .time = time,
                    .pod = {.namespace_name = "ml",
                            .name = std::to_string(request),
                            .uid = "uid-" + std::to_string(request),
                            .owner = "Job/train"},
                    .demand = demand,
                    .cluster = view,
                    .candidates = AllNodes(*view),
                    .served = Served(policy, "7")};
  decision.ranking = Rank(*policy, view, demand, decision.candidates).value();
  decision.latency = std::chrono::microseconds(1200);
  return decision;
}

}  // namespace berth
