#include "apps/berth/policy_results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

PolicyResults Recorded() {
  return {.policy_sha256 = "abc",
          .processor = "a processor",
          .build = "a build",
          .scores = {0.5, -1.25},
          .packing = {{"default",
                       42,
                       {50, 60, 70, 80, 90, 95, 96.25, 98},
                       {50, 60, 70, 80, 90, 95, 95.25, 97}},
                      {"default",
                       43,
                       {50, 60, 70, 80, 90, 95, 96.5, 98},
                       {50, 60, 70, 80, 90, 95, 95, 97}}},
          .living = {{"fifo", 0.95, 9001, 89.5, 0.125}, {"backfill", 1, 9001, 95.5, 0.03}}};
}

TEST(PolicyResults, AreReadAsTheyWereWritten) {
  EXPECT_EQ(ParseResults(WriteResults(Recorded())).value(), Recorded());
  EXPECT_EQ(ParseResults(WriteResults({})).value(), PolicyResults());
}

TEST(PolicyResults, SayWhatIsWrongWithThem) {
  std::string other = WriteResults(Recorded());
  other.replace(other.find("\"format\": 1"), 11, "\"format\": 9");
  std::string cut = WriteResults(Recorded());
  cut.replace(cut.find("[50.0,"), 6, "[");
  for (const auto& [text, want] : std::vector<std::pair<std::string, const char*>>{
           {"", "parse error"}, {"{}", "format"}, {other, "another version"}, {cut, "loads"}}) {
    const auto results = ParseResults(text);
    ASSERT_FALSE(results.ok()) << want;
    EXPECT_THAT(std::string(results.status().message()), HasSubstr("berth policy measure"));
    EXPECT_THAT(std::string(results.status().message()), HasSubstr(want));
  }
}

// Gains of 1 and 1.5 points at 100 %: on average 1.25, with an error of 0.5 / 2.
TEST(PolicyResults, AreSummedUpAsGainsOverFgd) {
  const auto summary = nlohmann::json::parse(SummaryOf(Recorded()));
  EXPECT_EQ(summary.at("gains").at("default").at("100"), nlohmann::json({1.25, 0.25}));
  EXPECT_EQ(summary.at("gains").at("default").at("50"), nlohmann::json({0, 0}));
  EXPECT_EQ(summary.at("gains").at("default").at("130"), nlohmann::json({1, 0}));
  EXPECT_EQ(summary.at("mean_gain_at_100"), 1.25);
}

TEST(PolicyResults, APartOfWhatWasRecordedIsNoDifference) {
  PolicyResults part = Recorded();
  part.packing.resize(1);
  part.living.resize(1);
  EXPECT_THAT(DifferencesFrom(Recorded(), part), IsEmpty());
}

TEST(PolicyResults, OnTheSameProcessorAndBuildAnyDifferenceCounts) {
  PolicyResults repeated = Recorded();
  repeated.scores[1] = -1.2500001;
  repeated.packing[1].allocated[6] = 96.51;
  repeated.living[0].wait = 0.1250001;
  EXPECT_THAT(DifferencesFrom(Recorded(), repeated),
              ElementsAre("score 2: -1.25 was recorded, and now it is -1.2500001",
                          "packing default, seed 43, percent at 100 %: 96.5 was recorded, and now "
                          "it is 96.51",
                          "living, fifo at load 0.95, seed 9001, wait: 0.125 was recorded, and now "
                          "it is 0.1250001"));
}

TEST(PolicyResults, ElsewhereRoundingMayDiffer) {
  for (const bool other_processor : {true, false}) {
    PolicyResults repeated = Recorded();
    (other_processor ? repeated.processor : repeated.build) = "another";
    repeated.scores[1] += 0.9e-5;
    repeated.packing[0].allocated[6] += 0.04;
    repeated.living[0].allocated -= 0.04;
    repeated.living[0].wait = 0.2;
    EXPECT_THAT(DifferencesFrom(Recorded(), repeated), IsEmpty());
    repeated.scores[1] += 0.2e-5;
    repeated.packing[0].allocated[6] += 0.02;
    EXPECT_THAT(DifferencesFrom(Recorded(), repeated),
                ElementsAre(HasSubstr("score 2"), HasSubstr("packing default, seed 42")));
  }
}

TEST(PolicyResults, WhatCannotBeComparedIsADifference) {
  PolicyResults repeated = Recorded();
  repeated.scores = {0.5, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_THAT(DifferencesFrom(Recorded(), repeated), ElementsAre(HasSubstr("now it is nan")));
  repeated = Recorded();
  repeated.scores.pop_back();
  EXPECT_THAT(DifferencesFrom(Recorded(), repeated),
              ElementsAre("2 scores were recorded, and now there are 1"));
  repeated = Recorded();
  repeated.packing[0].seed = 44;
  EXPECT_THAT(DifferencesFrom(Recorded(), repeated),
              ElementsAre("packing default, seed 44: never recorded"));
  repeated = Recorded();
  repeated.policy_sha256 = "abd";
  EXPECT_THAT(DifferencesFrom(Recorded(), repeated), ElementsAre(HasSubstr("another policy.pt")));
}

}  // namespace
}  // namespace berth
