#include "extender/priorities.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "base/rng.h"

namespace berth {
namespace {

using ::testing::ElementsAre;

TEST(Priorities, TheBestStandsOutAndTheNextFewStayApart) {
  ScoreAnswer answer{.order = std::vector<uint32_t>(12), .feasible = 12};
  std::iota(answer.order.begin(), answer.order.end(), 0);
  EXPECT_THAT(Priorities(answer, 12), ElementsAre(10, 5, 4, 3, 2, 2, 2, 2, 1, 1, 1, 1));
}

TEST(Priorities, ScoresAreByPositionOfTheCandidate) {
  EXPECT_THAT(Priorities({.order = {2, 0, 1}, .feasible = 3}, 3), ElementsAre(5, 4, 10));
}

TEST(Priorities, WhatCannotTakeThePodHasNothing) {
  EXPECT_THAT(Priorities({.order = {3, 1, 0, 2}, .feasible = 2, .unknown = 1}, 4),
              ElementsAre(0, 5, 0, 10));
}

// kube-scheduler offers nodes that fit by its own, newer count.
TEST(Priorities, WhenNoneFitsByTheBooksTheKnownOnesAreRanked) {
  EXPECT_THAT(Priorities({.order = {1, 0, 2}, .feasible = 0, .unknown = 1}, 3),
              ElementsAre(5, 10, 0));
}

TEST(Priorities, UnknownNodesAreAllTheSame) {
  EXPECT_THAT(Priorities({.order = {1, 0}, .feasible = 0, .unknown = 2}, 2), ElementsAre(0, 0));
}

TEST(Priorities, ALoneCandidateHasTen) {
  EXPECT_THAT(Priorities({.order = {0}, .feasible = 1}, 1), ElementsAre(10));
  EXPECT_THAT(Priorities({.order = {0}, .feasible = 0}, 1), ElementsAre(10));
  EXPECT_THAT(Priorities({.order = {0}, .feasible = 0, .unknown = 1}, 1), ElementsAre(10));
}

TEST(Priorities, OfNoneThereAreNone) { EXPECT_TRUE(Priorities({}, 0).empty()); }

TEST(Priorities, NeverLeaveTheContractAndNeverContradictTheOrder) {
  const Rng::result_type seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Rng rng(seed);
  for (int round = 0; round < 1000; ++round) {
    const uint32_t count = 2 + rng() % 30;
    ScoreAnswer answer{.order = std::vector<uint32_t>(count)};
    std::iota(answer.order.begin(), answer.order.end(), 0);
    std::shuffle(answer.order.begin(), answer.order.end(), rng);
    answer.unknown = rng() % (count + 1);
    answer.feasible = rng() % (count - answer.unknown + 1);
    const std::vector<int64_t> scores = Priorities(answer, count);
    for (uint32_t rank = 0; rank < count; ++rank) {
      const int64_t score = scores[answer.order[rank]];
      EXPECT_GE(score, 0);
      EXPECT_LE(score, rank == 0 ? 10 : 5);
      if (rank > 0) {
        EXPECT_LE(score, scores[answer.order[rank - 1]]);
      }
    }
  }
}

}  // namespace
}  // namespace berth
