#include "apps/berth/evaluate_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace berth {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Of four GPUs so many milli are allocated when as many as there are have arrived.
EvaluatedRun FullRun(std::string_view policy, uint64_t seed, int64_t allocated) {
  EvaluatedRun run{.policy = FindSimPolicy(policy).value(),
                   .trace = "own",
                   .seed = seed,
                   .result = {.curve = InflationCurve(kWholeGpu * 4)}};
  run.result.curve.Add(MilliGpu(4'000), MilliGpu(allocated));
  return run;
}

TEST(AllocationTable, ShowsMeansAndPairedDifferencesToFgd) {
  const std::string table =
      AllocationTable({FullRun("bestfit", 1, 2'000), FullRun("bestfit", 2, 3'000),
                       FullRun("fgd", 1, 3'000), FullRun("fgd", 2, 3'000)});
  // 62.5 on average; -25 and 0 against fgd
  EXPECT_THAT(table, HasSubstr("62.50 -12.50 se 12.50"));
  EXPECT_THAT(table, HasSubstr(" 75.00\n"));
}

TEST(AllocationTable, ShowsMeansAloneWithoutFgd) {
  EXPECT_THAT(AllocationTable({FullRun("bestfit", 1, 2'000)}),
              testing::AllOf(HasSubstr("50.00\n"), Not(HasSubstr("50.00 "))));
}

TEST(ParityTable, SaysWhoIsTooFarOff) {
  const Parity near{.policy = "dotprod",
                    .runs = 20,
                    .run = 0.004,
                    .run_where = "own, seed 1, at 9 %",
                    .run_limit = 0.01,
                    .mean_limit = 0.01};
  Parity far = near;
  far.run = 0.02;
  EXPECT_THAT(ParityTable({near}), HasSubstr("one run 0.0040 (own, seed 1, at 9 %), allowed 0.01"));
  EXPECT_THAT(ParityTable({near}), HasSubstr("20 runs  ok"));
  EXPECT_THAT(ParityTable({far}), HasSubstr("20 runs  TOO FAR OFF"));
}

TEST(EvaluationJson, HasTheCurveAndTheFailuresOfEveryRun) {
  EvaluatedRun run = FullRun("fgd", 9001, 3'000);
  run.result.failed.Add({.gpus = 1, .per_gpu = MilliGpu(500)});
  run.result.failed.Add({});
  EXPECT_EQ(EvaluationJson({run}), nlohmann::json::parse(R"({
    "runs": [{"policy": "fgd", "trace": "own", "seed": 9001, "allocation": {"100": 75.0},
              "failed_pods": 2, "failed_gpus": 0.5,
              "failed_by_class": {"no GPU": {"pods": 1, "gpus": 0.0},
                                  "share": {"pods": 1, "gpus": 0.5},
                                  "1 GPU": {"pods": 0, "gpus": 0.0},
                                  "2-7 GPUs": {"pods": 0, "gpus": 0.0},
                                  "8+ GPUs": {"pods": 0, "gpus": 0.0},
                                  "some models": {"pods": 0, "gpus": 0.0}}}],
    "gains": [], "failures": []})"));
}

}  // namespace
}  // namespace berth
