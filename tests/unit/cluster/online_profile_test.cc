#include "cluster/online_profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "example_cluster.h"
#include "support/random_placements.h"

namespace berth {
namespace {

// The end of the last epoch after so many arrivals, counted out.
size_t LastEpoch(size_t arrivals) {
  size_t end = 0;
  for (size_t next = 64; next <= arrivals; next += std::min<size_t>(next, 1024)) end = next;
  return end;
}

std::vector<ClassCount> CountsOf(std::span<const PodClass> arrived) {
  std::vector<ClassCount> counts;
  for (const PodClass& pod_class : arrived) counts.push_back({pod_class, 1});
  return counts;
}

TEST(OnlineProfile, IsThePriorUntilEnoughHaveArrived) {
  const WorkloadProfilePtr prior = EmptyProfile();
  OnlineProfile online(prior);
  for (int i = 0; i < 63; ++i) EXPECT_FALSE(online.Add({.cpu = MilliCpu(1)}));
  EXPECT_EQ(online.profile(), prior);
  EXPECT_TRUE(online.Add({.cpu = MilliCpu(2)}));
  const std::vector<ClassCount> counted(online.profile()->classes().begin(),
                                        online.profile()->classes().end());
  EXPECT_EQ(counted,
            (std::vector<ClassCount>{{{.cpu = MilliCpu(1)}, 63}, {{.cpu = MilliCpu(2)}, 1}}));
}

// Against a list of everything that arrived. The mix drifts, so that what has left the window
// shows.
TEST(OnlineProfile, IsTheMixOfTheLastArrivalsBeforeTheEpoch) {
  Rng rng(1);
  OnlineProfile online(EmptyProfile());
  std::vector<PodClass> arrived;
  for (int i = 0; i < 12'000; ++i) {
    arrived.push_back({.cpu = MilliCpu(i / 1000 + Uniform(rng, 0, 5))});
    const bool renewed = online.Add(arrived.back());
    const size_t end = LastEpoch(arrived.size());
    ASSERT_EQ(renewed, end == arrived.size());
    if (!renewed) continue;
    const size_t counted = std::min(end, OnlineProfile::kWindow);
    const WorkloadProfile naive("naive",
                                CountsOf(std::span(arrived).subspan(end - counted, counted)));
    ASSERT_TRUE(std::ranges::equal(online.profile()->classes(), naive.classes())) << end;
    EXPECT_EQ(online.profile()->version(), "online-" + std::to_string(end));
  }
}

}  // namespace
}  // namespace berth
