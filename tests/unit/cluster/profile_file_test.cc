#include "cluster/profile_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

namespace berth {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(ParseProfile, ReadsEveryField) {
  const auto profile = ParseProfile(R"({
    "version": "v7", "source": "by hand",
    "classes": [
      {"cpu_milli": 4000, "gpus": 1, "gpu_milli": 500, "models": ["V100", "T4"], "count": 12},
      {"cpu_milli": 0, "gpus": 0, "gpu_milli": 0, "count": 3},
      {"cpu_milli": 8000, "gpus": 2, "gpu_milli": 1000, "count": 1}
    ]})",
                                    "p.json");
  ASSERT_TRUE(profile.ok()) << profile.status();
  EXPECT_EQ(profile->version(), "v7");
  const PodClass share{.cpu = MilliCpu(4'000),
                       .per_gpu = MilliGpu(500),
                       .gpus = 1,
                       .models = AllowedModels({"T4", "V100"})};
  const PodClass cpu_only{};
  const PodClass two{.cpu = MilliCpu(8'000), .per_gpu = kWholeGpu, .gpus = 2};
  EXPECT_THAT(profile->classes(),
              ElementsAre(ClassCount{share, 12}, ClassCount{cpu_only, 3}, ClassCount{two, 1}));
}

TEST(ParseProfile, TakesAnEmptyList) {
  const auto profile = ParseProfile(R"({"version": "none", "classes": []})", "p.json");
  ASSERT_TRUE(profile.ok()) << profile.status();
  EXPECT_THAT(profile->classes(), SizeIs(0));
}

struct Bad {
  std::string json;
  std::string message;
};

// `fields` of one class that is otherwise right.
std::string WithClass(const std::string& fields) {
  return R"({"version": "v", "classes": [{"cpu_milli": 1, "gpus": 1, "gpu_milli": 1, "count": 1}, {)" +
         fields + "}]}";
}

TEST(ParseProfile, NamesWhatIsWrong) {
  const std::vector<Bad> table = {
      {"", "not JSON"},
      {"{", "not JSON"},
      {R"({"version": "v", "classes": []} x)", "not JSON"},
      {"[]", "the file should be a JSON object"},
      {R"({"classes": []})", "the file lacks the key \"version\""},
      {R"({"version": "v"})", "the file lacks the key \"classes\""},
      {R"({"version": "v", "classes": [], "kind": 1})", "the file has the unknown key \"kind\""},
      {R"({"version": 1, "classes": []})", "version is \"1\"; it should be a string"},
      {R"({"version": "", "classes": []})", "not empty"},
      {R"({"version": "v", "source": [], "classes": []})", "source is \"[]\""},
      {R"({"version": "v", "classes": {}})", "classes is \"{}\"; it should be a list"},
      {R"({"version": "v", "classes": [7]})", "classes[0] should be a JSON object"},
      {WithClass(R"("gpus": 1, "gpu_milli": 1, "count": 1)"),
       "classes[1] lacks the key \"cpu_milli\""},
      {WithClass(R"("cpu_milli": 1, "gpus": 1, "gpu_milli": 1, "count": 1, "memory": 5)"),
       "classes[1] has the unknown key \"memory\""},
      {WithClass(R"("cpu_milli": -1, "gpus": 1, "gpu_milli": 1, "count": 1)"),
       "classes[1].cpu_milli is \"-1\"; it should be a whole number from 0 to 10000000"},
      {WithClass(R"("cpu_milli": 1.5, "gpus": 1, "gpu_milli": 1, "count": 1)"),
       "classes[1].cpu_milli is \"1.5\""},
      {WithClass(R"("cpu_milli": "1", "gpus": 1, "gpu_milli": 1, "count": 1)"), "cpu_milli"},
      {WithClass(R"("cpu_milli": 1, "gpus": 257, "gpu_milli": 1000, "count": 1)"),
       "classes[1].gpus is \"257\"; it should be a whole number from 0 to 256"},
      {WithClass(R"("cpu_milli": 1, "gpus": 0, "gpu_milli": 500, "count": 1)"),
       "classes[1].gpu_milli is \"500\"; it should be 0 without GPUs"},
      {WithClass(R"("cpu_milli": 1, "gpus": 1, "gpu_milli": 0, "count": 1)"),
       "classes[1].gpu_milli is \"0\"; it should be a whole number from 1 to 1000"},
      {WithClass(R"("cpu_milli": 1, "gpus": 1, "gpu_milli": 1001, "count": 1)"), "gpu_milli"},
      {WithClass(R"("cpu_milli": 1, "gpus": 2, "gpu_milli": 500, "count": 1)"),
       "classes[1].gpu_milli is \"500\"; it should be 1000, as"},
      {WithClass(R"("cpu_milli": 1, "gpus": 1, "gpu_milli": 1, "count": 0)"),
       "classes[1].count is \"0\""},
      {WithClass(R"("cpu_milli": 1, "gpus": 1, "gpu_milli": 1, "count": 18446744073709551615)"),
       "classes[1].count is \"18446744073709551615\""},
      {WithClass(R"("cpu_milli": 1, "gpus": 1, "gpu_milli": 1, "count": 1e99)"), "count"},
      {WithClass(R"("cpu_milli": 1, "gpus": 1, "gpu_milli": 1, "count": 1, "models": "T4")"),
       "classes[1].models is"},
      {WithClass(R"("cpu_milli": 1, "gpus": 1, "gpu_milli": 1, "count": 1, "models": [])"),
       "at least one model"},
      {WithClass(R"("cpu_milli": 1, "gpus": 1, "gpu_milli": 1, "count": 1, "models": ["T4", 4])"),
       "classes[1].models[1] is \"4\""},
      {WithClass(R"("cpu_milli": 1, "gpus": 0, "gpu_milli": 0, "count": 1, "models": ["T4"])"),
       "left out of a class without GPUs"},
  };
  for (const Bad& bad : table) {
    const auto profile = ParseProfile(bad.json, "p.json");
    ASSERT_FALSE(profile.ok()) << bad.json;
    EXPECT_EQ(profile.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(profile.status().message()),
                AllOf(HasSubstr("p.json: "), HasSubstr(bad.message)))
        << bad.json;
  }
}

TEST(LoadProfile, NamesTheFileThatIsNotThere) {
  for (const std::string path : {"/nowhere/profile.json", "/"}) {
    const auto profile = LoadProfile(path);
    EXPECT_EQ(profile.status().code(), absl::StatusCode::kNotFound);
    EXPECT_THAT(std::string(profile.status().message()), HasSubstr(path + ": "));
  }
}

// 91 classes; the 35 most frequent hold 95.26 % of the pods.
TEST(LoadProfile, ReadsTheDefaultProfile) {
  const auto profile =
      LoadProfile(std::string(BERTH_SOURCE_DIR) + "/policies/profiles/openb-default.json");
  ASSERT_TRUE(profile.ok()) << profile.status();
  EXPECT_EQ(profile->version(), "openb-default-1");
  EXPECT_THAT(profile->classes(), SizeIs(91));
  ASSERT_THAT(profile->typical_pods(), SizeIs(35));
  int64_t pods = 0;
  for (const ClassCount& entry : profile->classes()) pods += entry.count;
  EXPECT_EQ(pods, 8'152);
  const auto& most_frequent = profile->classes().front();
  const double covered = static_cast<double>(most_frequent.count) /
                         profile->typical_pods().front().probability / static_cast<double>(pods);
  EXPECT_NEAR(covered, 0.9526, 0.00005);
}

TEST(ProfileFile, IsNeitherTooDeepNorTooLong) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_THAT(ParseProfile("{\"version\": " + deep + ", \"classes\": []}", "p").status().message(),
              HasSubstr("nested deeper than 32 levels"));
  EXPECT_EQ(LoadProfile("/dev/zero").status().message(), "/dev/zero is longer than 16777216 bytes");
}

}  // namespace
}  // namespace berth
