#include "learn/cluster_critic.h"

#include <gtest/gtest.h>

#include "sim/draw.h"

namespace berth {
namespace {

using Summary = std::array<float, kStateFeatures>;

std::array<double, kStateFeatures> Units(double unit) {
  std::array<double, kStateFeatures> units;
  units.fill(unit);
  return units;
}

Summary DrawSummary(Rng& rng) {
  Summary summary;
  for (float& sum : summary) sum = static_cast<float>(10 * DrawNormal(rng));
  return summary;
}

// What comes: less with load, and by two of the sums.
double Comes(double load, const Summary& summary) {
  return 5 - 3 * load + (1 + load) * (0.2 * summary[3] - 0.1 * summary[7]);
}

TEST(ClusterCritic, ExpectsNothingAtFirst) {
  const ClusterCritic critic(Units(1));
  EXPECT_EQ(critic.Value(0.5, Summary{1, 2, 3}), 0);
}

TEST(ClusterCritic, LearnsWhatIsLinearInTheSumsAndChangesWithTheLoad) {
  Rng rng(1);
  ClusterCritic critic(Units(10));
  for (int i = 0; i < 20'000; ++i) {
    const double load = DrawUnit(rng);
    const Summary summary = DrawSummary(rng);
    critic.Add(load, summary, Comes(load, summary));
  }
  critic.Solve();
  for (const double load : {0.05, 0.32, 0.5, 0.99}) {
    const Summary summary = DrawSummary(rng);
    EXPECT_NEAR(critic.Value(load, summary), Comes(load, summary), 0.15) << load;
  }
}

TEST(ClusterCritic, HasNoJumpsBetweenLoads) {
  Rng rng(2);
  ClusterCritic critic(Units(10));
  for (int i = 0; i < 2'000; ++i) critic.Add(DrawUnit(rng), DrawSummary(rng), DrawNormal(rng));
  critic.Solve();
  const Summary summary = DrawSummary(rng);
  for (const double load : {0.1, 0.2, 0.5, 1.0}) {
    EXPECT_NEAR(critic.Value(load - 1e-9, summary), critic.Value(load + 1e-9, summary), 1e-6);
  }
}

TEST(ClusterCritic, WhatWasLearnedBeforeFades) {
  ClusterCritic critic(Units(1));
  const auto learn = [&](double came) {
    for (int i = 0; i < 100; ++i) critic.Add(0.5, Summary{}, came);
    critic.Solve();
    return critic.Value(0.5, Summary{});
  };
  EXPECT_NEAR(learn(10), 10, 1e-3);
  critic.Fade(0.25);
  EXPECT_NEAR(learn(0), 2, 1e-3) << "a quarter of the weight against a whole";
}

TEST(ClusterCritic, AFeatureWithoutAUnitIsLeftOut) {
  ClusterCritic critic(Units(0));
  for (int i = 0; i < 100; ++i) {
    critic.Add(0.5, Summary{static_cast<float>(i)}, static_cast<double>(i));
  }
  critic.Solve();
  EXPECT_NEAR(critic.Value(0.5, Summary{}), 49.5, 1e-2);
  EXPECT_EQ(critic.Value(0.5, Summary{99}), critic.Value(0.5, Summary{}));
}

TEST(ClusterCritic, GoesOnFromASavedState) {
  Rng rng(3);
  ClusterCritic critic(Units(1)), restored(Units(1));
  critic.Add(0.3, DrawSummary(rng), 2);
  critic.Solve();
  restored.Restore(critic.state());
  EXPECT_EQ(restored.Value(0.3, Summary{4}), critic.Value(0.3, Summary{4}));
}

}  // namespace
}  // namespace berth
