#include "apps/berth/packing_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/small_case.h"

namespace berth {
namespace {

using nlohmann::json;
using testing::ElementsAre;

// Half and one of four GPUs in use when half and all of them have been asked for, of seed 1; twice
// as much of it with another policy or seed. A fifth of what is idle is fragmented and too small.
EvaluatedRun RunOf(std::string_view policy, uint64_t seed, int64_t times) {
  const MilliGpu capacity = kWholeGpu * 4;
  const PercentMeans none(capacity);
  EvaluatedRun run{.policy = FindSimPolicy(policy).value(),
                   .trace = "own",
                   .seed = seed,
                   .result = {.curve = InflationCurve(capacity)},
                   .record = PackingRecord{none, {none, none, none, none, none, none}}};
  for (const int64_t arrived : {2'000, 4'000}) {
    const MilliGpu allocated(arrived / 4 * times);
    run.result.curve.Add(MilliGpu(arrived), allocated);
    const double idle = 100 - none.PercentOf(static_cast<double>(allocated.value()));
    run.record->fragmentation.Add(MilliGpu(arrived), idle / 5);
    run.record->idle[static_cast<size_t>(IdleGpu::kUsable)].Add(MilliGpu(arrived), 4 * idle / 5);
    run.record->idle[static_cast<size_t>(IdleGpu::kTooSmall)].Add(MilliGpu(arrived), idle / 5);
  }
  return run;
}

// Two nodes, of which one is used by half: nodes of a model that comes first are shown first.
std::vector<Node> Nodes() {
  const Node used = SmallNode("used");
  NodeSpec plain = *SmallNode("plain").spec;
  plain.model = GpuModel("A10");
  return {used, {.spec = std::make_shared<const NodeSpec>(plain), .free = IdleState(plain)}};
}

class PackingPageTest : public ::testing::Test {
 protected:
  PackingPageTest() {
    runs_ = {RunOf("bestfit", 1, 1), RunOf("bestfit", 2, 2), RunOf("fgd", 1, 2),
             RunOf("fgd", 2, 2)};
    runs_[0].nodes = runs_[2].nodes = Nodes();
    const int64_t failed[] = {3, 6, 4, 4};
    for (size_t i = 0; i < runs_.size(); ++i) runs_[i].result.failed.all.pods = failed[i];
    data_ = PackingPageData(runs_);
  }

  const json& Policy(size_t number) const { return data_.at("traces")[0].at("policies")[number]; }

  std::vector<EvaluatedRun> runs_;
  json data_;
};

TEST_F(PackingPageTest, SaysWhatWasCompared) {
  EXPECT_EQ(data_.at("gpus"), 8);
  EXPECT_THAT(data_.at("policies"), ElementsAre("bestfit", "fgd"));
  EXPECT_EQ(data_.at("traces")[0].at("name"), "own");
  EXPECT_THAT(data_.at("traces")[0].at("seeds"), ElementsAre(1, 2));
}

TEST_F(PackingPageTest, HasCurvesWithBandsOverTheSeeds) {
  const json& allocation = Policy(0).at("allocation");
  EXPECT_EQ(allocation.at("mean").size(), 131u);
  EXPECT_EQ(allocation.at("mean")[100], 37.5);
  EXPECT_EQ(allocation.at("least")[100], 25);
  EXPECT_EQ(allocation.at("most")[100], 50);
  EXPECT_EQ(allocation.at("mean")[99], json());
  EXPECT_EQ(Policy(0).at("fragmentation").at("mean")[100], 12.5);  // a fifth of 75 and of 50
  EXPECT_EQ(Policy(0).at("fragmentation").at("most")[50], 17.5);
}

TEST_F(PackingPageTest, SplitsWhatIsIdle) {
  const json& idle = Policy(1).at("idle");
  ASSERT_EQ(idle.size(), kIdleGpuKinds);
  EXPECT_EQ(idle[static_cast<size_t>(IdleGpu::kUsable)][100], 40);
  EXPECT_EQ(idle[static_cast<size_t>(IdleGpu::kTooSmall)][100], 10);
  EXPECT_EQ(idle[static_cast<size_t>(IdleGpu::kCpu)][100], json());
}

TEST_F(PackingPageTest, PairsEverySeedWithThatOfFgd) {
  EXPECT_EQ(Policy(0).at("difference").at("mean")[100], -12.5);
  EXPECT_EQ(Policy(0).at("difference").at("error")[100], 12.5);
  EXPECT_EQ(Policy(1).at("difference").at("mean")[100], 0);
  EXPECT_EQ(Policy(0).at("failed_pods"),
            json::parse(R"({"mean": 4.5, "difference": 0.5, "error": 1.5})"));
  const json without = PackingPageData({runs_[0], runs_[1]});
  EXPECT_EQ(without.at("traces")[0].at("policies")[0].at("difference").at("mean")[100], json());
  EXPECT_EQ(without.at("traces")[0].at("policies")[0].at("failed_pods").at("difference"), json());
}

TEST_F(PackingPageTest, MapsTheNodesOfTheFirstSeedByModel) {
  EXPECT_EQ(data_.at("nodes"), json::parse(R"([{"name": "plain", "model": "A10", "gpus": 4},
                            {"name": "used", "model": "G2", "gpus": 4}])"));
  EXPECT_EQ(Policy(0).at("nodes"), json::parse("[[0, 0, 0, 0, 0, 0], [50, 50, 80, 0, 50, 100]]"));
}

}  // namespace
}  // namespace berth
