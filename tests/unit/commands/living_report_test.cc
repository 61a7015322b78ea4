#include "apps/berth/living_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace berth {
namespace {

using testing::HasSubstr;

LivingSuiteRun RunWith(uint64_t seed, double allocated, double wait, int64_t still_waiting) {
  LivingSuiteRun run{FindSimPolicy("fgd").value(), {kBackfill, 0.95}, seed, {}};
  run.result.allocated = allocated;
  run.result.waits = {.jobs = 10, .still_waiting = still_waiting, .mean = wait};
  run.result.waits_by_size[static_cast<size_t>(JobSize::kEightGpus)] = {
      .jobs = 2, .still_waiting = still_waiting, .mean = 5 * wait};
  return run;
}

TEST(LivingTable, ShowsTheMeansOverTheSeedsOfEachPolicyInEachSetting) {
  LivingSuiteRun other = RunWith(1, 0.5, 1, 7);
  other.setting.load = 1;
  const std::string table = LivingTable({RunWith(1, 0.8, 0.1, 1), RunWith(2, 0.9, 0.2, 4), other});
  EXPECT_THAT(table, HasSubstr("backfill   0.95  fgd                 85.00 %   0.1500        2"));
  EXPECT_THAT(table, HasSubstr("0.7500\nbackfill   1.00  fgd                 50.00 %   1.0000"));
  EXPECT_THAT(table, HasSubstr("8+ GPUs"));
}

TEST(LivingJson, HasEveryRun) {
  const nlohmann::json json = LivingJson({RunWith(1, 0.8, 0.1, 1), RunWith(2, 0.9, 0.2, 4)});
  ASSERT_EQ(json["runs"].size(), 2u);
  const nlohmann::json& run = json["runs"][1];
  EXPECT_EQ(run["queue"], "backfill");
  EXPECT_EQ(run["load"], 0.95);
  EXPECT_EQ(run["policy"], "fgd");
  EXPECT_EQ(run["seed"], 2);
  EXPECT_EQ(run["allocated"], 0.9);
  EXPECT_EQ(run["waits"],
            (nlohmann::json{{"jobs", 10}, {"still_waiting", 4}, {"mean_lifetimes", 0.2}}));
  EXPECT_EQ(run["waits_by_size"]["8+ GPUs"]["mean_lifetimes"], 1.0);
}

}  // namespace
}  // namespace berth
