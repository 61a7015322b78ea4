#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "berth/pod.h"

namespace berth {
namespace {

using ::testing::ElementsAre;

struct Case {
  std::vector<std::string> alternatives;
  std::string model;
  bool allowed;
};

class AllowedModelsTable : public ::testing::TestWithParam<Case> {};

TEST_P(AllowedModelsTable, AllowsWhatTheWordsSay) {
  const Case& c = GetParam();
  EXPECT_EQ(AllowedModels(c.alternatives).Allows(GpuModel(c.model)), c.allowed)
      << ::testing::PrintToString(c.alternatives) << " and " << c.model;
}

INSTANTIATE_TEST_SUITE_P(
    Any, AllowedModelsTable,
    ::testing::Values(Case{{}, "NVIDIA-A100-SXM4-80GB", true},
                      Case{{}, "", true}));  // an unknown model is good enough for anyone

INSTANTIATE_TEST_SUITE_P(
    OneWord, AllowedModelsTable,
    ::testing::Values(Case{{"A100"}, "NVIDIA-A100-SXM4-80GB", true},
                      Case{{"A10"}, "NVIDIA-A100-SXM4-80GB", false},  // no part of a word
                      Case{{"A100"}, "NVIDIA-A10", false}, Case{{"100"}, "A100", false},
                      Case{{"T4"}, "T4", true}, Case{{"T4"}, "Tesla-T4", true},
                      Case{{"T4"}, "Tesla-T40", false}, Case{{"V100M16"}, "V100M32", false},
                      Case{{"A100"}, "", false}));

INSTANTIATE_TEST_SUITE_P(
    CaseAndSeparators, AllowedModelsTable,
    ::testing::Values(Case{{"a100"}, "NVIDIA-A100-SXM4-80GB", true},
                      Case{{"A100"}, "nvidia a100_sxm4 80gb", true},
                      Case{{"A100 SXM4"}, "NVIDIA-A100-SXM4-80GB", true},
                      Case{{"A100_SXM4-80GB"}, "NVIDIA A100 SXM4 80GB", true},
                      Case{{"-A100-"}, "NVIDIA--A100", true},
                      Case{{"A100.SXM4"}, "A100-SXM4", false}));  // '.' separates nothing

INSTANTIATE_TEST_SUITE_P(
    WordsInARow, AllowedModelsTable,
    ::testing::Values(Case{{"A100-80GB"}, "NVIDIA-A100-SXM4-80GB", false},
                      Case{{"SXM4-A100"}, "NVIDIA-A100-SXM4-80GB", false},
                      Case{{"NVIDIA-A100-SXM4-80GB"}, "NVIDIA-A100-SXM4-80GB", true},
                      Case{{"A100-SXM4-80GB-HBM"}, "NVIDIA-A100-SXM4-80GB", false},
                      // The first A100 is a false start.
                      Case{{"A100-PCIE"}, "A100-A100-PCIE", true}));

INSTANTIATE_TEST_SUITE_P(Alternatives, AllowedModelsTable,
                         ::testing::Values(Case{{"H100", "A100"}, "NVIDIA-A100-SXM4-80GB", true},
                                           Case{{"H100", "L40"}, "NVIDIA-A100-SXM4-80GB", false},
                                           Case{{"", "A100"}, "NVIDIA-A100", true}));

// Without a word there is nothing to find.
INSTANTIATE_TEST_SUITE_P(NoWord, AllowedModelsTable,
                         ::testing::Values(Case{{""}, "A100", false}, Case{{"- _"}, "A100", false},
                                           Case{{""}, "", false}));

TEST(AllowedModels, AlternativesAreSorted) {
  const AllowedModels models({"T4", "A10"});
  EXPECT_THAT(models.alternatives(), ElementsAre("A10", "T4"));
  EXPECT_EQ(models, AllowedModels({"A10", "T4"}));
  EXPECT_FALSE(models.AllowsAny());
  EXPECT_TRUE(AllowedModels().AllowsAny());
}

// A repeat allows no more. But pods that write one are typical pods of their own to the FGD paper's
// simulator, and its results cannot be had without that.
TEST(AllowedModels, KeepARepeat) {
  EXPECT_NE(AllowedModels({"T4", "A10", "T4"}), AllowedModels({"A10", "T4"}));
  EXPECT_FALSE(AllowedModels({"T4", "T4"}).Allows(GpuModel("A10")));
}

}  // namespace
}  // namespace berth
