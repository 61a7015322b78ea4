#include "apps/berth/living_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "apps/berth/living_comparison.h"

namespace berth {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

LivingSuiteRun RunWith(uint64_t seed, double allocated, double wait, int64_t still_waiting,
                       std::string policy = "fgd") {
  SimPolicy named = FindSimPolicy("fgd").value();
  named.name = std::move(policy);
  LivingSuiteRun run{named, {kBackfill, 0.95}, seed, {}};
  run.result.allocated = allocated;
  run.result.waits = {.jobs = 10, .still_waiting = still_waiting, .mean = wait};
  run.result.waits_by_size[static_cast<size_t>(JobSize::kEightGpus)] = {
      .jobs = 2, .still_waiting = still_waiting, .mean = 5 * wait};
  return run;
}

// FGD allocates most of the heuristics, best-fit waits least; a policy that is not built in is held
// against both.
const std::vector<LivingSuiteRun>& ThreePolicies() {
  static const std::vector<LivingSuiteRun> runs = {RunWith(1, 0.80, 0.25, 1),
                                                   RunWith(2, 0.90, 0.35, 4),
                                                   RunWith(1, 0.82, 0.10, 1, "bestfit"),
                                                   RunWith(2, 0.84, 0.20, 4, "bestfit"),
                                                   RunWith(1, 0.90, 0.09, 1, "mine"),
                                                   RunWith(2, 0.96, 0.17, 4, "mine")};
  return runs;
}

TEST(LivingComparison, IsWithTheHeuristicThatDoesBestInThatNumber) {
  const auto settings = GroupBySettingAndPolicy(ThreePolicies());
  ASSERT_THAT(settings, SizeIs(1));
  const auto compare = [&](size_t policy, const LivingNumber& number) {
    return Compare(settings[0][policy], settings[0], number);
  };
  const LivingComparison allocated = compare(2, Allocated());
  EXPECT_EQ(allocated.best, "fgd");
  EXPECT_NEAR(MeanOf(allocated.numbers).mean, 93, 1e-9);
  EXPECT_NEAR(MeanOf(allocated.differences).mean, 8, 1e-9) << "10 and 6 points";
  EXPECT_NEAR(MeanOf(allocated.differences).standard_error, 2, 1e-9);
  const LivingComparison wait = compare(2, MeanWait());
  EXPECT_EQ(wait.best, "bestfit");
  EXPECT_NEAR(MeanOf(wait.differences).mean, -0.02, 1e-9) << "-0.01 and -0.03";
  EXPECT_NEAR(MeanOf(compare(2, MeanWaitOf(JobSize::kEightGpus)).differences).mean, -0.1, 1e-9);
  EXPECT_EQ(MeanOf(compare(1, MeanWait()).differences).mean, 0) << "the best itself";
  EXPECT_EQ(MeanOf(compare(1, StillWaiting()).numbers).mean, 2.5);
}

TEST(LivingComparison, ThereIsNoneWhereNoHeuristicRan) {
  const LivingSuiteRun run = RunWith(1, 0.9, 0.1, 1, "mine");
  const auto settings = GroupBySettingAndPolicy(std::span(&run, 1));
  const LivingComparison alone = Compare(settings[0][0], settings[0], MeanWait());
  EXPECT_EQ(alone.best, "");
  EXPECT_TRUE(alone.differences.empty());
}

TEST(LivingTable, ShowsTheMeansOverTheSeedsOfEachPolicyInEachSetting) {
  LivingSuiteRun other = RunWith(1, 0.5, 1, 7);
  other.setting.load = 1;
  const std::string table = LivingTable({RunWith(1, 0.8, 0.1, 1), RunWith(2, 0.9, 0.2, 4), other});
  EXPECT_THAT(table,
              HasSubstr("backfill   0.95  fgd                 85.00 %         best   0.1500  "
                        "          best        2"));
  EXPECT_THAT(table, HasSubstr("0.7500\nbackfill   1.00  fgd                 50.00 %"));
  EXPECT_THAT(table, HasSubstr("8+ GPUs"));
  EXPECT_THAT(table, HasSubstr("Played are 8 of those, the first 3\nare warm-up"));
  EXPECT_THAT(table, Not(HasSubstr("steady")));
}

TEST(LivingTable, ShowsWhatTheBestHeuristicDoesBetterOrWorse) {
  const std::string table = LivingTable(ThreePolicies());
  EXPECT_THAT(table,
              HasSubstr("mine                93.00 %   +8.00±2.00   0.1300  -0.0200±0.0100"));
  EXPECT_THAT(table,
              HasSubstr("fgd                 85.00 %         best   0.3000  +0.1500±0.0000"));
  EXPECT_THAT(LivingTable({RunWith(1, 0.9, 0.1, 1, "mine")}),
              HasSubstr("mine                90.00 %            -   0.1000               - "));
}

TEST(LivingTable, SaysWhereThereIsNoSteadyState) {
  LivingSuiteRun run = RunWith(1, 0.5, 1, 7);
  run.setting = {kFifo, 1};
  EXPECT_THAT(LivingTable({run}),
              HasSubstr("\nfifo at load 1.00 has no steady state: its queue grows without end"));
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

TEST(LivingJson, HasEveryPolicyBesideTheBestHeuristic) {
  const nlohmann::json json = LivingJson(ThreePolicies());
  ASSERT_THAT(json["policies"], SizeIs(3));
  const nlohmann::json& mine = json["policies"][2];
  EXPECT_EQ(mine["policy"], "mine");
  EXPECT_EQ(mine["steady"], true);
  EXPECT_EQ(mine["allocated_percent"]["best"], "fgd");
  EXPECT_NEAR(mine["allocated_percent"]["difference"], 8, 1e-9);
  EXPECT_NEAR(mine["wait_lifetimes"]["standard_error"], 0.01, 1e-9);
  EXPECT_NEAR(mine["wait_lifetimes_by_size"]["8+ GPUs"]["difference"], -0.1, 1e-9);
  EXPECT_EQ(json["horizon_lifetimes"], 8);
  const auto alone = LivingJson({RunWith(1, 0.9, 0.1, 1, "mine")});
  EXPECT_FALSE(alone["policies"][0]["wait_lifetimes"].contains("best"));
}

}  // namespace
}  // namespace berth
