#include "apps/berth/simulate_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/small_case.h"

namespace berth {
namespace {

using std::chrono::hours;
using ::testing::HasSubstr;

// One node of four GPUs: all of them in use for a day, then a job that waited and needs none.
class SimulationReport : public ::testing::Test {
 protected:
  SimulationReport() {
    history_.jobs = {{JobHistory::State::kLeft, hours(0)},
                     {JobHistory::State::kRefused, hours(0)},
                     {JobHistory::State::kLeft, hours(27)}};
    history_.load = {{hours(0), MilliGpu(4'000), 1}, {hours(24), MilliGpu(0), 0}};
    history_.end = hours(48);
  }

  static TraceJob Job(const char* name, int gpus) {
    return {.pod = {name,
                    {.gpus = gpus,
                     .per_gpu = gpus > 0 ? kWholeGpu : MilliGpu(),
                     .accounting = gpus > 0 ? GpuAccounting::kManaged : GpuAccounting::kNone}},
            .queue = "\xff"};
  }

  const Replay replay_ =
      MakeReplay({*SmallNode().spec}, {Job("four", 4), Job("too many", 16), Job("none", 0)})
          .value();
  LivingHistory history_;
  const Simulation simulation_{"fgd", "backfill", 7, replay_, history_};
};

TEST_F(SimulationReport, SaysWhatCameOfItToPeople) {
  const std::string text = SimulationText(simulation_);
  EXPECT_THAT(text, HasSubstr("fgd, backfill: 3 jobs on 1 nodes with 4 GPUs\n"
                              "2 ran to their end, after 2d 00:00:00; 1 were refused; 50.0 % of"));
  EXPECT_THAT(text, HasSubstr("   0d 22:00:00      100.0 %        1.0  ########################"));
  EXPECT_THAT(text, HasSubstr("   1d 00:00:00        0.0 %        0.0  \n"));
  EXPECT_THAT(text, HasSubstr("   no GPU        1        0    1d 03:00:00   1d 03:00:00"));
  EXPECT_THAT(text, HasSubstr("when idle: \"too many\"\n"));
}

TEST_F(SimulationReport, NamesAFewOfTheRefused) {
  std::vector<TraceJob> jobs(8, Job("too many", 16));
  const Replay replay = MakeReplay({*SmallNode().spec}, jobs).value();
  history_.jobs.assign(8, {JobHistory::State::kRefused, hours(0)});
  EXPECT_THAT(SimulationText({"fgd", "fifo", 7, replay, history_}),
              HasSubstr("\"too many\", \"too many\" and 3 more\n"));
}

TEST_F(SimulationReport, SaysEverythingToMachines) {
  const nlohmann::json json = SimulationJson(simulation_);
  EXPECT_EQ(json.at("seed"), 7);
  EXPECT_EQ(json.at("arrived"), 3);
  EXPECT_EQ(json.at("departed"), 2);
  EXPECT_EQ(json.at("refused"), nlohmann::json({"too many"}));
  EXPECT_EQ(json.at("gpus_in_use"), 2);
  EXPECT_EQ(json.at("waits").at("longest_s"), 27 * 3600);
  EXPECT_EQ(json.at("waits_by_size").at("8+ GPUs").at("refused"), 1);
  EXPECT_EQ(json.at("waits_by_queue").at("\xff").at("jobs"), 2);
  EXPECT_EQ(json.at("load").size(), 240);
  EXPECT_EQ(json.at("load")[120].at("gpus_in_use"), 0);
}

}  // namespace
}  // namespace berth
