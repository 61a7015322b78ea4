#include "apps/berth/living_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace berth {
namespace {

using testing::ElementsAre;

LivingSuiteRun RunOf(std::string_view policy, double load, uint64_t seed, double allocated) {
  LivingSuiteRun run{FindSimPolicy(policy).value(), {kBackfill, load}, seed, {}};
  run.result.allocated = allocated;
  run.result.waits = {.jobs = 10, .still_waiting = static_cast<int64_t>(seed), .mean = 0.5};
  run.result.waits_by_size[static_cast<size_t>(JobSize::kEightGpus)].mean = allocated;
  return run;
}

TEST(LivingPageData, HasMeansAndRangesOverTheSeedsOfEachPolicyInEachSetting) {
  const nlohmann::json data = LivingPageData(
      {RunOf("bestfit", 0.95, 1, 0.5), RunOf("bestfit", 0.95, 2, 0.75), RunOf("fgd", 0.95, 1, 0.25),
       RunOf("fgd", 0.95, 2, 0.25), RunOf("bestfit", 1, 1, 1), RunOf("bestfit", 1, 2, 1),
       RunOf("fgd", 1, 1, 0.125), RunOf("fgd", 1, 2, 0.125)});
  EXPECT_EQ(data.at("seeds"), 2);
  EXPECT_THAT(data.at("policies"), ElementsAre("bestfit", "fgd"));
  EXPECT_THAT(data.at("sizes"), ElementsAre("no GPU", "share", "1 GPU", "2-7 GPUs", "8+ GPUs"));
  ASSERT_EQ(data.at("settings").size(), 2u);
  EXPECT_EQ(data.at("settings")[1].at("load"), 1);
  EXPECT_EQ(data.at("settings")[1].at("queue"), "backfill");
  EXPECT_EQ(data.at("settings")[1].at("steady"), true);
  const nlohmann::json& bestfit = data.at("settings")[0].at("policies")[0];
  EXPECT_EQ(bestfit.at("allocated"),
            nlohmann::json::parse(R"({"mean": 62.5, "least": 50.0, "most": 75.0,
                                      "best": "bestfit", "difference": 0.0, "error": 0.0})"));
  const nlohmann::json& fgd = data.at("settings")[0].at("policies")[1];
  EXPECT_EQ(fgd.at("allocated").at("difference"), -37.5);
  EXPECT_EQ(fgd.at("allocated").at("error"), 12.5);
  EXPECT_EQ(fgd.at("waits")[4].at("best"), "fgd") << "who waits 0.25 in place of 0.625";
  EXPECT_EQ(bestfit.at("still_waiting").at("mean"), 1.5);
  EXPECT_EQ(bestfit.at("waits")[4].at("most"), 0.75);
  EXPECT_EQ(data.at("settings")[1].at("policies")[1].at("allocated").at("mean"), 12.5);
}

TEST(LivingPageData, HasNoDifferencesWithoutAHeuristic) {
  LivingSuiteRun run = RunOf("bestfit", 1, 1, 0.5);
  run.policy.name = "mine";
  run.setting.queue = kFifo;
  const nlohmann::json data = LivingPageData({run});
  const nlohmann::json& setting = data.at("settings")[0];
  EXPECT_EQ(setting.at("policies")[0].at("allocated").at("best"), nullptr);
  EXPECT_EQ(setting.at("policies")[0].at("allocated").at("difference"), nullptr);
  EXPECT_EQ(setting.at("steady"), false);
  EXPECT_EQ(data.at("horizon"), 8);
}

}  // namespace
}  // namespace berth
