#include "kube/backoff.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace berth {
namespace {

using std::chrono::milliseconds;

TEST(Backoff, DoublesUpToHalfAMinuteWithJitter) {
  Backoff backoff(1);
  for (int longest : {200, 400, 800, 1600, 3200, 6400, 12'800, 25'600, 30'000, 30'000}) {
    const milliseconds wait = backoff.Next();
    EXPECT_GE(wait, milliseconds(longest / 2));
    EXPECT_LE(wait, milliseconds(longest));
  }
  backoff.Reset();
  EXPECT_LE(backoff.Next(), milliseconds(200));
}

TEST(Backoff, SeedsMakeTheDifference) {
  const auto waits = [](Rng::result_type seed) {
    Backoff backoff(seed);
    std::vector<milliseconds> waits(8);
    std::generate(waits.begin(), waits.end(), [&backoff] { return backoff.Next(); });
    return waits;
  };
  EXPECT_EQ(waits(1), waits(1));
  EXPECT_NE(waits(1), waits(2));
}

}  // namespace
}  // namespace berth
