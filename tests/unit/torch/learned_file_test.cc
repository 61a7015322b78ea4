#include "torch/learned_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/bounded_file.h"
#include "policy/learned_scorer.h"
#include "policy/ranking.h"
#include "support/captured_log.h"
#include "support/random_placements.h"
#include "support/temp_directory.h"
#include "support/views.h"
#include "torch/export.h"
#include "torch/torch_scorer.h"

namespace berth {
namespace {

using ::testing::HasSubstr;

// Weights of the size that training gives, and none of them zero.
LearnedPolicy RandomPolicy(uint64_t seed) {
  Rng rng(seed);
  std::normal_distribution<double> weight(0, 0.2);
  LearnedPolicy policy{.name = "random"};
  ForEachWeight(policy, [&](double& w) { w = weight(rng); });
  return policy;
}

const PolicyManifest kAbout{
    .version = "1", .created = "2026-01-02T03:04:05Z", .created_by = "a test"};

Status Write(const LearnedPolicy& policy, const TempDirectory& directory) {
  return WriteLearnedPolicy(policy, kAbout, directory.path());
}

TEST(LearnedFile, GivesBackWhatWasWritten) {
  const TempDirectory directory;
  const LearnedPolicy policy = RandomPolicy(1);
  ASSERT_EQ(Write(policy, directory), absl::OkStatus());
  const auto read = ReadLearnedPolicy(directory.path());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, policy);
}

TEST(LearnedFile, TheSamePolicyGivesTheSameBytes) {
  const TempDirectory a, b;
  ASSERT_TRUE(Write(RandomPolicy(1), a).ok() && Write(RandomPolicy(1), b).ok());
  for (const char* file : {"policy.pt", "manifest.json"}) {
    EXPECT_EQ(ReadBounded(a.path() / file, 1 << 20).value(),
              ReadBounded(b.path() / file, 1 << 20).value());
  }
}

TEST(LearnedFile, IsRefusedWhenItIsOfAnotherKind) {
  const TempDirectory directory;
  ASSERT_TRUE(ExportHeuristic("fgd-bestfit", kAbout, directory.path()).ok());
  const auto read = ReadLearnedPolicy(directory.path());
  EXPECT_EQ(read.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(read.status().message()), HasSubstr("it reads other columns"));
}

// Rankings and GPU choices of the module are those of the native scorer, in both regimes, on mixes
// of all sorts.
TEST(LearnedFile, RanksAsTheNativeScorerDoes) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const TempDirectory directory;
    const LearnedPolicy policy = RandomPolicy(seed);
    ASSERT_EQ(Write(policy, directory), absl::OkStatus());
    CapturedLog log;
    const auto torch = LoadTorchPolicy(directory.path(), log.logger());
    ASSERT_TRUE(torch.ok()) << torch.status();
    const ScorerPtr native = MakeLearnedScorer(policy);
    Rng rng(seed);
    const Fleet fleet{.gpus = {{GpuModel("G2"), kWholeGpu * 64}, {GpuModel("T4"), kWholeGpu * 16}},
                      .cpu = MilliCpu(1'000'000)};
    const auto profile = std::make_shared<const WorkloadProfile>(
        RandomProfile(rng, 40)->On(fleet).WithDepartures(seed % 2 == 0));
    const ClusterViewPtr view = ViewOf(RandomNodes(rng, 60), profile);
    const std::vector<const Node*> nodes = AllNodes(*view);
    for (int i = 0; i < 20; ++i) {
      const Demand demand = RandomDemand(rng);
      const auto a = Rank(**torch, view, demand, nodes);
      const auto b = Rank(*native, view, demand, nodes);
      ASSERT_TRUE(a.ok() && b.ok()) << a.status() << b.status();
      EXPECT_EQ(a->order, b->order);
      EXPECT_EQ(a->scores, b->scores);
      for (const Node* node : nodes) {
        EXPECT_EQ((*torch)->ChooseGpus(*node, demand, *profile),
                  native->ChooseGpus(*node, demand, *profile));
      }
    }
  }
}

}  // namespace
}  // namespace berth
