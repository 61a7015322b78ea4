// The shipped TorchScript policy is the native fgd-bestfit: the same ranking, the same GPUs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cluster/profile_file.h"
#include "policy/heuristics.h"
#include "policy/ranking.h"
#include "sim/openb_nodes.h"
#include "support/random_placements.h"
#include "support/views.h"
#include "torch/torch_scorer.h"

namespace berth {
namespace {

class FgdBestFitPolicy : public ::testing::Test {
 protected:
  // Ranks by both policies; they must agree in order and scores. Returns the ranking.
  Ranking RankByBoth(const ClusterViewPtr& cluster, const Demand& demand,
                     std::span<const Node* const> candidates) {
    Ranking native = Rank(*native_, cluster, demand, candidates).value();
    const Ranking torch = Rank(*torch_, cluster, demand, candidates).value();
    EXPECT_EQ(native.order, torch.order);
    EXPECT_EQ(native.scores, torch.scores);
    return native;
  }

  GpuSet ChooseByBoth(const Node& node, const Demand& demand, const WorkloadProfile& profile) {
    GpuSet native = native_->ChooseGpus(node, demand, profile);
    EXPECT_EQ(native, torch_->ChooseGpus(node, demand, profile));
    return native;
  }

  const std::shared_ptr<Logger> log_ = MakeStderrLogger("test", "warn");
  const ScorerPtr native_ = MakeFgdBestFit();
  const ScorerPtr torch_ = LoadTorchPolicy(BERTH_SOURCE_DIR "/policies/fgd-bestfit", *log_).value();
};

TEST_F(FgdBestFitPolicy, RanksRandomNodesAsTheNativeOne) {
  constexpr int kRounds = 60;
  constexpr size_t kNodes = 40;
  for (uint64_t seed : {1, 2, 3}) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    const WorkloadProfilePtr profile = RandomProfile(rng, 100);
    for (int round = 0; round < kRounds && !HasFailure(); ++round) {
      const ClusterViewPtr cluster = ViewOf(RandomNodes(rng, kNodes), profile);
      const std::vector<const Node*> candidates = AllNodes(*cluster);
      const Demand demand = RandomDemand(rng);
      const Ranking ranking = RankByBoth(cluster, demand, candidates);
      for (uint32_t i = 0; i < ranking.feasible; ++i) {
        ChooseByBoth(*candidates[ranking.order[i]], demand, *profile);
      }
    }
  }
}

// Pods as the profile says they arrive.
class PodStream {
 public:
  PodStream(const WorkloadProfile& profile, uint64_t seed) : rng_(seed) {
    std::vector<double> weights;
    for (const ClassCount& entry : profile.classes()) {
      classes_.push_back(entry.pod_class);
      weights.push_back(static_cast<double>(entry.count));
    }
    pick_ = std::discrete_distribution<size_t>(weights.begin(), weights.end());
  }

  Demand Next() {
    const PodClass& next = classes_[pick_(rng_)];
    return {.cpu = next.cpu,
            .memory = MiB(1024),
            .gpus = next.gpus,
            .per_gpu = next.per_gpu,
            .accounting = next.gpus > 0 ? GpuAccounting::kManaged : GpuAccounting::kNone,
            .models = next.models};
  }

 private:
  Rng rng_;
  std::vector<PodClass> classes_;
  std::discrete_distribution<size_t> pick_;
};

// The openb cluster while it fills up. As kube-scheduler may do, each pod looks at some of the
// nodes first, which also keeps this test quick, and at all of them now and then and when none of
// these can take it.
class OpenbEpisode {
 public:
  explicit OpenbEpisode(WorkloadProfilePtr profile) : cluster_(ViewOf({}, std::move(profile))) {
    for (NodeSpec& spec : OpenbNodes(GpuAccounting::kManaged)) {
      nodes_.push_back({.spec = std::make_shared<const NodeSpec>(spec), .free = IdleState(spec)});
    }
  }

  // Every `stride`-th node, beginning with `first`.
  std::vector<const Node*> Candidates(size_t first, size_t stride) const {
    std::vector<const Node*> candidates;
    for (size_t i = first; i < nodes_.size(); i += stride) candidates.push_back(&nodes_[i]);
    return candidates;
  }

  void Place(const Node& node, const Demand& demand, const GpuSet& gpus) {
    FreeState& free = nodes_[static_cast<size_t>(&node - nodes_.data())].free;
    free = AfterPlacing(free, demand, gpus);
  }

  double FreeGpus() const {
    MilliGpu free;
    for (const Node& node : nodes_) free += node.free.TotalGpu();
    return static_cast<double>(free.value()) / 1000;
  }

  // Only for profile and context: the candidates are this episode's own nodes.
  const ClusterViewPtr& cluster() const { return cluster_; }

 private:
  ClusterViewPtr cluster_;
  std::vector<Node> nodes_;
};

TEST_F(FgdBestFitPolicy, FillsTheOpenbClusterAsTheNativeOne) {
  const uint64_t seed = 42;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  const auto profile = std::make_shared<const WorkloadProfile>(
      LoadProfile(BERTH_SOURCE_DIR "/policies/profiles/openb-default.json").value());
  PodStream pods(*profile, seed);
  OpenbEpisode episode(profile);
  int arrived = 0, refused = 0;
  for (; refused < 20 && !HasFailure(); ++arrived) {
    const Demand demand = pods.Next();
    const size_t stride = arrived % 100 == 0 ? 1 : 24;
    std::vector<const Node*> candidates = episode.Candidates(arrived % stride, stride);
    Ranking ranking = RankByBoth(episode.cluster(), demand, candidates);
    if (ranking.feasible == 0) {
      candidates = episode.Candidates(0, 1);
      ranking = RankByBoth(episode.cluster(), demand, candidates);
    }
    if (ranking.feasible == 0) {
      ++refused;
      continue;
    }
    const Node& winner = *candidates[ranking.order[0]];
    episode.Place(winner, demand, ChooseByBoth(winner, demand, *profile));
  }
  EXPECT_GT(arrived, 6'000);
  EXPECT_LT(episode.FreeGpus(), 6'212 * 0.15) << "the cluster is nearly full";
}

}  // namespace
}  // namespace berth
