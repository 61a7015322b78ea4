#include "sim/toy_cluster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "support/toy_optimum.h"

namespace berth {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

using Decider = std::function<size_t(const ToyCluster&)>;

double MeanFilled(const Decider& decide, int episodes) {
  Rng rng(1);
  ToyCluster toy(rng);
  double sum = 0;
  for (int i = 0; i < episodes; ++i) {
    for (toy.Restart(rng); !toy.over();) sum += toy.Place(decide(toy), rng);
  }
  return sum / episodes;
}

size_t FirstFit(const ToyCluster& toy) {
  size_t node = 0;
  while (!toy.CanTakeIt(node)) ++node;
  return node;
}

// The node with the least or the most free GPUs of those that can take the job, the first of them.
size_t Fit(const ToyCluster& toy, bool best) {
  size_t chosen = FirstFit(toy);
  for (size_t node = chosen + 1; node < ToyCluster::kNodes; ++node) {
    if (!toy.CanTakeIt(node)) continue;
    const int more = toy.free_gpus(node) - toy.free_gpus(chosen);
    if (best ? more < 0 : more > 0) chosen = node;
  }
  return chosen;
}

TEST(ToyCluster, StartsIdleWithAJob) {
  Rng rng(3);
  const ToyCluster toy(rng);
  EXPECT_THAT(toy.WhoCanTakeIt(), Each(true));
  EXPECT_FALSE(toy.over());
  const auto wanted = static_cast<float>(toy.demand()) / 8;
  EXPECT_THAT(toy.numbers(), ElementsAre(1, 1, 1, 1, wanted));
}

TEST(ToyCluster, AJobTakesItsGpusAndTheNextOneComes) {
  Rng rng(3);
  ToyCluster toy(rng);
  const int demand = toy.demand();
  EXPECT_EQ(toy.Place(2, rng), demand / 8.0);
  EXPECT_EQ(toy.free_gpus(2), 8 - demand);
  EXPECT_EQ(toy.free_gpus(1), 8);
  EXPECT_EQ(toy.numbers()[2], static_cast<float>(8 - demand) / 8);
}

TEST(ToyCluster, IsOverWhenAJobIsSentWhereItDoesNotFit) {
  Rng rng(3);
  ToyCluster toy(rng);
  while (toy.CanTakeIt(0)) toy.Place(0, rng);
  ASSERT_FALSE(toy.over()) << "the other nodes are idle";
  const auto before = toy.numbers();
  EXPECT_EQ(toy.Place(0, rng), 0);
  EXPECT_TRUE(toy.over());
  EXPECT_EQ(toy.numbers(), before);
  toy.Restart(rng);
  EXPECT_FALSE(toy.over());
  EXPECT_EQ(toy.free_gpus(0), 8);
}

TEST(ToyCluster, IsOverWhenAJobFitsNowhere) {
  Rng rng(4);
  ToyCluster toy(rng);
  while (!toy.over()) toy.Place(FirstFit(toy), rng);
  EXPECT_THAT(toy.WhoCanTakeIt(), Each(false));
}

TEST(ToyCluster, JobsAreDrawnEvenly) {
  Rng rng(5);
  ToyCluster toy(rng);
  std::map<int, int> jobs;
  constexpr int kJobs = 40'000;
  for (int i = 0; i < kJobs; ++i) {
    ++jobs[toy.demand()];
    toy.Restart(rng);
  }
  for (const int demand : ToyCluster::kDemands) EXPECT_NEAR(jobs[demand], kJobs / 4, 400);
}

TEST(ToyCluster, TheSameSeedGivesTheSameJobs) {
  for (const uint64_t seed : {1, 2, 3}) {
    Rng rng(seed), same(seed);
    ToyCluster toy(rng), twin(same);
    while (!toy.over()) {
      ASSERT_EQ(toy.numbers(), twin.numbers());
      ASSERT_EQ(toy.Place(FirstFit(toy), rng), twin.Place(FirstFit(twin), same));
    }
    EXPECT_TRUE(twin.over());
  }
}

TEST(ToyOptimum, IsWhatCanBeWorkedOutByHandWhereLittleIsLeft) {
  ToyOptimum optimum;
  EXPECT_EQ(optimum.From({0, 0, 0, 0}), 0);
  EXPECT_EQ(optimum.From({0, 1, 0, 0}), 1.0 / 4 / 8);
  // Two GPUs on one node: a job of 2 fills them, one of 1 leaves one.
  EXPECT_EQ(optimum.From({2, 0, 0, 0}), (2.0 / 8 + 1.0 / 8 + 1.0 / 4 / 8) / 4);
  EXPECT_GT(optimum.From({2, 0, 0, 0}), optimum.From({1, 1, 0, 0}));
}

// The standard error of these means is about .004.
TEST(ToyOptimum, NobodyDoesBetterAndBestFitComesClose) {
  ToyOptimum optimum;
  const double best = optimum.FromIdle();
  EXPECT_NEAR(best, 3.7097, 1e-4) << "src/sim/toy_cluster.h names it";
  constexpr int kEpisodes = 20'000;
  const Decider best_fit = [](const ToyCluster& toy) { return Fit(toy, true); };
  const Decider worst_fit = [](const ToyCluster& toy) { return Fit(toy, false); };
  EXPECT_NEAR(MeanFilled(best_fit, kEpisodes), best, 0.015);
  EXPECT_NEAR(MeanFilled(worst_fit, kEpisodes), 2.54, 0.015);
}

}  // namespace
}  // namespace berth
