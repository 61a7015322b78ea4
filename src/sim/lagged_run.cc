#include "sim/lagged_run.h"

#include <fmt/format.h>
#include <spdlog/sinks/null_sink.h>

#include <deque>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/metrics.h"
#include "cluster/cluster_state.h"
#include "cluster/feasibility.h"
#include "policy/cache.h"
#include "policy/ranking.h"
#include "sim/sim_cluster.h"

namespace berth {
namespace {

constexpr size_t kRememberedDemands = 256;
constexpr Clock::TimePoint kNow;  // expectations do not get old here

// The nodes in the order in which they win ties, and named so that a ranking breaks them alike.
std::vector<NodeSpec> NamedByRank(const Trace& trace, const EventOrder& order) {
  std::vector<NodeSpec> sorted(trace.nodes.size());
  for (size_t i = 0; i < sorted.size(); ++i) {
    NodeSpec& node = sorted[order.node_rank[i]] = trace.nodes[i];
    node.name = NodeName(fmt::format("{:08}", order.node_rank[i]));
  }
  return sorted;
}

class LaggedRun {
 public:
  LaggedRun(const ScorerPtr& policy, const Trace& trace, const EventOrder& order, const Lag& lag)
      : trace_(trace),
        order_(order),
        lag_(lag),
        policy_(MakeCachedScorer(policy, kRememberedDemands, metrics_)),
        real_(NamedByRank(trace, order)),
        profile_(MixOn(real_, trace.profile, /*pods_leave=*/false)),
        state_(
            [this](const Node& node, const Demand& demand, const WorkloadProfile& mix) {
              return policy_->ChooseGpus(node, demand, mix);
            },
            profile_, metrics_, log_),
        result_{.curve = InflationCurve(real_.gpu_capacity())} {
    for (const Node& node : real_.nodes()) state_.UpsertNode(*node.spec);
  }

  Result<PackingResult> Run() {
    MilliGpu arrived;
    for (const uint32_t pod : order_.arrivals) {
      if (Status tried = TryAgain(); !tried.ok()) return tried;
      if (Status tried = Try(pod); !tried.ok()) return tried;
      arrived += trace_.pods[pod].demand.TotalGpu();
      result_.curve.Add(arrived, real_.gpu_used());
    }
    return std::move(result_);
  }

 private:
  struct Crowded {
    uint32_t pod = 0;
    size_t due = 0;  // placements
  };

  // Those that failed to start and whose time has come.
  Status TryAgain() {
    while (!crowded_.empty() && crowded_.front().due <= placements_) {
      const uint32_t pod = crowded_.front().pod;
      crowded_.pop_front();
      if (Status tried = Try(pod); !tried.ok()) return tried;
    }
    return absl::OkStatus();
  }

  Status Try(uint32_t number) {
    const Demand& demand = trace_.pods[number].demand;
    const Pod pod{.uid = PodUid(std::to_string(++asked_)), .demand = demand};
    const Result<size_t> chosen = Choose(pod);
    if (!chosen.ok()) return chosen.status();
    if (*chosen == kNowhere) {
      result_.failed.Add(demand);
    } else if (CheckFit(real_.nodes()[*chosen], demand) == Refusal::kNone) {
      Place(pod, *chosen);
    } else {
      state_.Withdraw(pod.uid);
      crowded_.push_back({number, placements_ + lag_.placements});
      ++result_.crowded_pods;
    }
    return absl::OkStatus();
  }

  // What kube-scheduler and the service together say.
  Result<size_t> Choose(const Pod& pod) {
    const ClusterViewPtr known = state_.View();
    const ClusterViewPtr ranked = lag_.expectations ? state_.ExpectedView(kNow) : known;
    std::vector<const Node*> candidates;
    std::vector<size_t> numbers;
    for (size_t i = 0; i < real_.nodes().size(); ++i) {
      if (!PassesKubeScheduler(real_.nodes()[i], pod.demand)) continue;
      if (CheckBeyondKubeScheduler(*known->nodes()[i], pod.demand) != Refusal::kNone) continue;
      candidates.push_back(ranked->nodes()[i].get());
      numbers.push_back(i);
    }
    if (candidates.empty()) return kNowhere;
    const Result<Ranking> ranking = Rank(*policy_, ranked, pod.demand, candidates);
    if (!ranking.ok()) return ranking.status();
    const uint32_t first = ranking->order.front();
    if (lag_.expectations) state_.Expect(pod.uid, candidates[first]->name(), pod.demand, kNow);
    return numbers[first];
  }

  // NodeResourcesFit: sums over the node, of what was bound and assumed.
  static bool PassesKubeScheduler(const Node& node, const Demand& demand) {
    Demand cpu_and_memory{.cpu = demand.cpu, .memory = demand.memory};
    return CheckFit(node, cpu_and_memory) == Refusal::kNone &&
           node.free.TotalGpu() >= demand.TotalGpu();
  }

  void Place(Pod pod, size_t node) {
    const Node& real = real_.nodes()[node];
    real_.Place(node, pod.demand, policy_->ChooseGpus(real, pod.demand, *profile_));
    ++placements_;
    pod.node = real.name();
    unseen_.push_back(std::move(pod));
    while (unseen_.size() > lag_.placements) {
      state_.UpsertPod(std::move(unseen_.front()));
      unseen_.pop_front();
    }
  }

  static constexpr size_t kNowhere = std::numeric_limits<size_t>::max();

  const Trace& trace_;
  const EventOrder& order_;
  const Lag lag_;
  Metrics metrics_;
  Logger log_{"lagged run", std::make_shared<spdlog::sinks::null_sink_st>()};
  const ScorerPtr policy_;
  SimCluster real_;
  const WorkloadProfilePtr profile_;
  ClusterState state_;
  std::deque<Pod> unseen_;       // placed, oldest first; the service does not know yet
  std::deque<Crowded> crowded_;  // by `due`
  size_t placements_ = 0;
  uint64_t asked_ = 0;
  PackingResult result_;
};

}  // namespace

Result<PackingResult> RunLagged(const ScorerPtr& policy, const Trace& trace,
                                const EventOrder& order, const Lag& lag) {
  return LaggedRun(policy, trace, order, lag).Run();
}

}  // namespace berth
