#include "sim/sim_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "sim/gpu_clustering.h"
#include "support/small_case.h"
#include "support/views.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(SimPolicies, StartWithThePublishedOnes) {
  std::vector<std::string_view> published;
  for (const SimPolicy& policy : SimPolicies()) {
    if (!policy.published.empty()) published.push_back(policy.published);
  }
  EXPECT_THAT(published,
              ElementsAre("Random", "DotProd", "GpuClustering", "GpuPacking", "BestFit", "FGD"));
  EXPECT_EQ(SimPolicies()[5].published, "FGD");
}

TEST(SimPolicies, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const SimPolicy& policy : SimPolicies()) names.insert(policy.name);
  EXPECT_THAT(names, SizeIs(SimPolicies().size()));
}

TEST(SimPolicies, AreFoundByName) {
  const SimCluster cluster({});
  for (const SimPolicy& policy : SimPolicies()) {
    const Result<SimPolicy> found = FindSimPolicy(policy.name);
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(found->name, policy.name);
    EXPECT_NE(found->make(cluster), nullptr);
  }
  EXPECT_THAT(std::string(FindSimPolicy("worst").status().message()),
              HasSubstr("\"worst\"; there are random, dotprod"));
}

TEST(GpuClustering, LikesItsOwnKindAndFullNodes) {
  SimCluster cluster({*SmallNode("only-shares").spec, *SmallNode("mixed").spec,
                      *SmallNode("idle").spec, *SmallNode("others").spec});
  const Demand whole{.gpus = 1, .per_gpu = kWholeGpu, .accounting = GpuAccounting::kManaged};
  cluster.Place(0, SmallShare(), {0});
  cluster.Place(1, SmallShare(), {0});
  cluster.Place(1, whole, {1});
  cluster.Place(3, whole, {0});
  std::vector<const Node*> candidates;
  for (const Node& node : cluster.nodes()) candidates.push_back(&node);
  const ClusterViewPtr surroundings = ViewOf({}, SmallProfile());
  const auto scores_for = [&](const Demand& demand) {
    std::vector<float> scores(candidates.size());
    EXPECT_TRUE(MakeGpuClustering(cluster)->Score({surroundings, demand, candidates}, scores).ok());
    return scores;
  };
  // 25 * (8000 - free) / 8000, rounded down, of 3700, 2700, 4000 and 3000 free
  EXPECT_THAT(scores_for(SmallShare()), ElementsAre(75 + 13, 50 + 16, 25 + 12, 15));
  EXPECT_THAT(scores_for({.cpu = MilliCpu(1)}), ElementsAre(0, 0, 0, 0));
}

}  // namespace
}  // namespace berth
